/**
 * The commands in `commands/`, which the API calls and by which alone stacks change. A command checks,
 * commits and returns; reconcilers do the work.
 *
 * Always holds: the caller is authorized, and the stack is of the caller's project.
 */
import type { CurrentResource } from '../rows/stack-resource.repository.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ReadTemplate, TemplateRequest } from '../template/read-template.js';

export interface StackOptions {
  /** Minutes; by default a setting. */
  readonly timeoutMinutes?: number | undefined;
  /** By default true at the creation, and unchanged afterwards. */
  readonly disableRollback?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

export type NewStack = Omit<TemplateRequest, 'stack' | 'facade'> &
  StackOptions & { readonly name: string };

export type StackChange = Partial<Omit<TemplateRequest, 'stack' | 'facade'>> &
  StackOptions & {
    /** PATCH: everything that is not given stays as it was, each parameter included. */
    readonly existing?: boolean | undefined;
    /** Stored parameters that return to their defaults. */
    readonly clearParameters?: readonly string[] | undefined;
    /** Whether the real state of each resource is read. */
    readonly converge?: boolean | undefined;
  };

export interface PreviewedStack {
  readonly template: ReadTemplate;
  /** In the template's order, with the properties that are known in advance. */
  readonly resources: readonly PreviewedResource[];
  readonly userName: string;
}

export interface PreviewedResource {
  readonly name: string;
  readonly type: string;
  readonly physicalId: string | null;
  readonly requiredBy: readonly string[];
  readonly properties: JsonObject;
  readonly metadata: Json;
  readonly description: string;
  readonly nested?: readonly PreviewedResource[] | undefined;
}

export type ChangeOfResource = 'unchanged' | 'updated' | 'replaced' | 'added' | 'deleted';

export type PreviewedChanges = Readonly<Record<ChangeOfResource, readonly PreviewedResource[]>>;

/** The data that `abandon` and `export` return and `adopt` takes. */
export type AbandonedStack = JsonObject;

export interface ShownOutput {
  readonly name: string;
  readonly description: string;
  /** Null where it is not available (yet). */
  readonly value: Json;
  readonly error?: string | undefined;
}

export interface TemplateSummary extends Pick<
  ReadTemplate,
  'source' | 'version' | 'description' | 'parameters' | 'parameterGroups' | 'outputs' | 'conditions'
> {
  /** The implementing types of resources in outputs, by resource name. */
  readonly outputTypes: Readonly<Record<string, string>>;
}

export interface KnownOutputs extends Pick<
  TemplateSummary,
  'outputs' | 'outputTypes' | 'parameters'
> {
  readonly resources: readonly CurrentResource[];
}

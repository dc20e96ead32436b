/**
 * What `commands/` take and give, which the API calls, and nothing beside them changes stacks. Each
 * command checks, commits and returns; the work itself is the reconcilers'.
 *
 * Always holds: whoever asks has been found to be allowed to, and the stack to be theirs.
 */
import type { CurrentResource } from '../rows/stack-resource.repository.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ReadTemplate, TemplateRequest } from '../template/read-template.js';

export interface StackOptions {
  /** Minutes; by default a setting. */
  readonly timeoutMinutes?: number | undefined;
  /** By default true at the creation, and as it was from then on. */
  readonly disableRollback?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

export type NewStack = Omit<TemplateRequest, 'stack' | 'facade'> &
  StackOptions & { readonly name: string };

export type StackChange = Partial<Omit<TemplateRequest, 'stack' | 'facade'>> &
  StackOptions & {
    /** PATCH: what is not given stays as it was, also each parameter. */
    readonly existing?: boolean | undefined;
    /** Of the stored parameters, those that get their defaults again. */
    readonly clearParameters?: readonly string[] | undefined;
    /** Whether each resource is looked at as it really is. */
    readonly converge?: boolean | undefined;
  };

export interface PreviewedStack {
  readonly template: ReadTemplate;
  /** In the order of the template; `properties` as far as they are known before anything is made. */
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
  /** Those of a stack below it. */
  readonly nested?: readonly PreviewedResource[] | undefined;
}

export type ChangeOfResource = 'unchanged' | 'updated' | 'replaced' | 'added' | 'deleted';

export type PreviewedChanges = Readonly<Record<ChangeOfResource, readonly PreviewedResource[]>>;

/** The data that `abandon` and `export` return and `adopt` takes. */
export type AbandonedStack = JsonObject;

export interface ShownOutput {
  readonly name: string;
  readonly description: string;
  /** Null where it cannot be had (yet). */
  readonly value: Json;
  /** Why it cannot be had. */
  readonly error?: string | undefined;
}

export interface TemplateSummary extends Pick<
  ReadTemplate,
  'source' | 'version' | 'description' | 'parameters' | 'parameterGroups' | 'outputs' | 'conditions'
> {
  /** The types that implement the resources of outputs, by resource name. */
  readonly outputTypes: Readonly<Record<string, string>>;
}

export interface KnownOutputs extends Pick<
  TemplateSummary,
  'outputs' | 'outputTypes' | 'parameters'
> {
  readonly resources: readonly CurrentResource[];
}

/**
 * What may be asked of stacks: what the API calls, and nothing beside it changes stacks. Each method
 * checks, commits and returns; the work itself is the reconcilers'.
 *
 * Always holds: whoever asks has been found to be allowed to, and the stack to be theirs.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { StackSnapshot } from '../rows/stack-snapshot.entity.js';
import type { StackResource } from '../rows/stack-resource.entity.js';
import type { CurrentResource } from '../rows/stack-resource.repository.js';
import type { Stack } from '../rows/stack.entity.js';
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
  /** Of whoever asks. */
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

/** What `abandon` and `export` give, and `adopt` takes. */
export type AbandonedStack = JsonObject;

export interface ShownOutput {
  readonly name: string;
  readonly description: string;
  /** Null where it cannot be had (yet). */
  readonly value: Json;
  /** Why it cannot be had. */
  readonly error?: string | undefined;
}

export interface StackCommands {
  /** @throws StackExistsError, TemplateError, PropertyError, QuotaExceededError */
  create(ctx: RequestContext, request: NewStack): Promise<Stack>;
  /** Checks as `create` does and makes nothing. */
  previewCreate(ctx: RequestContext, request: NewStack): Promise<PreviewedStack>;
  /** An update in progress is superseded. @throws NotSupportedError where another action forbids it */
  update(ctx: RequestContext, stack: Stack, change: StackChange): Promise<Stack>;
  previewUpdate(ctx: RequestContext, stack: Stack, change: StackChange): Promise<PreviewedChanges>;
  delete(ctx: RequestContext, stack: Stack): Promise<void>;
  /** Forgets the stack and leaves what it is made of. */
  abandon(ctx: RequestContext, stack: Stack): Promise<AbandonedStack>;
  /** What `abandon` would give. */
  export(ctx: RequestContext, stack: Stack): Promise<AbandonedStack>;
  /** @param data of `abandon` */
  adopt(ctx: RequestContext, request: NewStack, data: AbandonedStack): Promise<Stack>;

  suspend(ctx: RequestContext, stack: Stack): Promise<void>;
  resume(ctx: RequestContext, stack: Stack): Promise<void>;
  check(ctx: RequestContext, stack: Stack): Promise<void>;
  /** With a rollback to the last template that was complete. @throws NotSupportedError */
  cancelUpdate(ctx: RequestContext, stack: Stack): Promise<void>;
  /** Leaves the stack failed, as it is. @throws NotSupportedError */
  cancelWithoutRollback(ctx: RequestContext, stack: Stack): Promise<void>;

  snapshot(ctx: RequestContext, stack: Stack, name: string | null): Promise<StackSnapshot>;
  restore(ctx: RequestContext, stack: Stack, snapshot: StackSnapshot): Promise<void>;
  deleteSnapshot(ctx: RequestContext, stack: Stack, snapshot: StackSnapshot): Promise<void>;

  /** @param reason null for Heat's own */
  markUnhealthy(
    ctx: RequestContext,
    stack: Stack,
    resource: StackResource,
    isUnhealthy: boolean,
    reason: string | null,
  ): Promise<void>;
  /** @throws ResourceActionNotSupportedError where its type takes none; InvalidBreakPointHookError */
  signal(ctx: RequestContext, stack: Stack, resource: StackResource, details: Json): Promise<void>;

  /** @param known where the caller has it already */
  outputs(ctx: RequestContext, stack: Stack, known?: KnownOutputs): Promise<readonly ShownOutput[]>;
  /** As its service has them now. @param names by default all of its type's */
  attributesOf(
    ctx: RequestContext,
    stack: Stack,
    resource: StackResource,
    names?: readonly string[],
  ): Promise<JsonObject>;
  /** With the attributes that they name as they are now. */
  metadataOf(ctx: RequestContext, stack: Stack, resource: StackResource): Promise<Json>;
  /** What of the stack's template is known without reading it again. */
  templateOf(ctx: RequestContext, stack: Stack): Promise<TemplateSummary>;
}

/** What is kept of a template as it was read. */
export interface TemplateSummary extends Pick<
  ReadTemplate,
  'source' | 'version' | 'description' | 'parameters' | 'parameterGroups' | 'outputs' | 'conditions'
> {
  /** What implements the resources that outputs refer to, by their names. */
  readonly outputTypes: Readonly<Record<string, string>>;
}

/** What outputs are had from. */
export interface KnownOutputs extends Pick<
  TemplateSummary,
  'outputs' | 'outputTypes' | 'parameters'
> {
  /** Those of `outputTypes`. */
  readonly resources: readonly CurrentResource[];
}

/** Nest's token of `StackCommands`. */
export const STACK_COMMANDS = Symbol('cumulet:stack-commands');

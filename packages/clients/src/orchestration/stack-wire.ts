/** Names a stack: its API takes both name and id. */
export interface StackRef {
  readonly projectId: string;
  readonly name: string;
  readonly id: string;
}

/** The content of a stack; an update replaces all of it. */
export interface StackContent {
  /** A HOT template, as an object. */
  readonly template: object;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Timeout of the action in minutes; by default that of the service. */
  readonly timeoutMinutes?: number | undefined;
  /** True by default: a failed action is not rolled back. */
  readonly disableRollback?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface NewStack extends StackContent {
  readonly name: string;
}

export type StackStatus = 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';

export interface StackOutput {
  /** Null if it is not known yet. */
  readonly value: unknown;
  /** Why the value is unknown. */
  readonly error: string | undefined;
}

export interface Stack extends StackRef {
  /** `CREATE`, `UPDATE`, `DELETE`, `ROLLBACK`, … */
  readonly action: string;
  readonly status: StackStatus;
  readonly reason: string;
  readonly tags: readonly string[];
  /** Empty unless requested. */
  readonly outputs: ReadonlyMap<string, StackOutput>;
}

export interface StackResource {
  readonly name: string;
  /** The stack that contains it: the requested one, or one nested in it. */
  readonly stackId: string;
  /** `OS::Nova::Server` */
  readonly type: string;
  /** The id of the physical resource; undefined while there is none. */
  readonly physicalId: string | undefined;
  readonly action: string;
  /** `IN_PROGRESS`, `COMPLETE`, `FAILED`. */
  readonly status: string;
  readonly reason: string;
}

export interface WireStack {
  readonly id: string;
  readonly stack_name: string;
  readonly stack_status: string;
  readonly stack_status_reason: string;
  readonly tags: readonly string[] | null;
  readonly outputs?: readonly WireOutput[];
}

interface WireOutput {
  readonly output_key: string;
  readonly output_value?: unknown;
  readonly output_error?: string;
}

export interface WireResource {
  readonly resource_name: string;
  readonly resource_type: string;
  readonly physical_resource_id: string;
  readonly resource_status: string;
  readonly resource_status_reason: string;
  readonly links: readonly { readonly href: string; readonly rel: string }[];
}

export function stackFromWire(projectId: string, stack: WireStack): Stack {
  const [action, status] = statusOf(stack.stack_status);
  return {
    projectId,
    name: stack.stack_name,
    id: stack.id,
    action,
    status: status as StackStatus,
    reason: stack.stack_status_reason,
    tags: stack.tags ?? [],
    outputs: new Map(
      (stack.outputs ?? []).map(({ output_key, output_value = null, output_error }) => [
        output_key,
        { value: output_value, error: output_error },
      ]),
    ),
  };
}

export function resourceFromWire(resource: WireResource): StackResource {
  const [action, status] = statusOf(resource.resource_status);
  const stack = resource.links.find(({ rel }) => rel === 'stack')?.href ?? '';
  return {
    name: resource.resource_name,
    stackId: stack.split('/').at(-1) ?? '',
    type: resource.resource_type,
    physicalId: resource.physical_resource_id || undefined,
    action,
    status,
    reason: resource.resource_status_reason,
  };
}

export function contentToWire(content: StackContent): object {
  return {
    template: content.template,
    parameters: content.parameters,
    timeout_mins: content.timeoutMinutes,
    disable_rollback: content.disableRollback,
    tags: content.tags?.join(','),
  };
}

/** `CREATE_IN_PROGRESS`: an action has no underscore. */
function statusOf(text: string): [action: string, status: string] {
  const at = text.indexOf('_');
  return [text.slice(0, at), text.slice(at + 1)];
}

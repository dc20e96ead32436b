/** Stacks as Heat shows them. Pure. Public source: Orchestration API reference, "Stacks". */
import type { ShownOutput, TemplateSummary } from '../engine/stack-commands.js';
import { heatTime, heatTimeIfAny, stackLink } from '../http/links.js';
import type { ListedStack } from '../rows/stack.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import { statusOf } from '../rows/stack.states.js';
import { shownParameters } from '../template/parameters/parameter-view.js';
import type { OutputDefinition } from '../template/read-template.js';

interface Addressed {
  readonly baseUrl: string;
}

/** @param withProject as administrators see it */
export function stackSummary(ctx: Addressed, stack: ListedStack, withProject = false): object {
  const { id, name, description, createdAt, updatedAt, deletedAt = null, tags } = stack;
  return {
    id,
    links: [stackLink(ctx, stack)],
    ...(withProject ? { project: stack.projectId } : {}),
    stack_name: name,
    description,
    stack_status: `${stack.action}_${statusOf(stack.state)}`,
    stack_status_reason: stack.stateReason ?? '',
    creation_time: heatTime(createdAt),
    updated_time: heatTimeIfAny(updatedAt),
    deletion_time: heatTimeIfAny(deletedAt),
    stack_owner: stack.userName,
    parent: stack.ownerId,
    stack_user_project_id: stack.projectId,
    tags: tags.length === 0 ? null : tags,
  };
}

export type ShownTemplate = Pick<TemplateSummary, 'parameters' | 'version' | 'description'>;

export function stackDetail(
  ctx: Addressed,
  stack: ListedStack & Pick<Stack, 'disableRollback' | 'timeoutMinutes'>,
  template: ShownTemplate,
): object {
  const description = describedBy(stack.description);
  return {
    ...stackSummary(ctx, stack),
    description,
    template_description: description,
    notification_topics: [],
    capabilities: [],
    parameters: shownParameters(template, stack),
    disable_rollback: stack.disableRollback,
    timeout_mins: stack.timeoutMinutes,
  };
}

/** Heat's words for a template that has none. */
export function describedBy(description: string): string {
  return description === '' ? 'No description' : description;
}

/** Heat's words for an output that has none. */
export function describedOutput(description: string): string {
  return description === '' ? 'No description given' : description;
}

export function outputView({ name, description, value, error }: ShownOutput): object {
  return {
    output_key: name,
    description: describedOutput(description),
    output_value: value,
    ...(error === undefined ? {} : { output_error: error }),
  };
}

export function outputSummary(
  name: string,
  { description }: Pick<OutputDefinition, 'description'>,
): object {
  return { output_key: name, description: describedOutput(description) };
}

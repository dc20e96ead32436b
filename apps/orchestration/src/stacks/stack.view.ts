/** Stacks as Heat shows them. Pure. Public source: Orchestration API reference, "Stacks". */
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { ShownOutput, TemplateSummary } from '../engine/stack-commands.js';
import { ShownJson } from '../http/json-shape.js';
import { heatTime, heatTimeIfAny, Link, stackLink } from '../http/links.js';
import type { ListedStack } from '../rows/stack.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import { statusOf } from '../rows/stack.states.js';
import { shownParameters } from '../template/parameters/parameter-view.js';
import type { OutputDefinition } from '../template/read-template.js';

const left = { optional: true } as const;

const SUMMARY = {
  id: Shown(String, 'The ID.'),
  links: Shown([() => Link], 'Links to it.'),
  stack_name: Shown(String, 'The name.'),
  description: Shown(String, "Its template's description."),
  stack_status: Shown(String, 'The last action and its status, such as CREATE_COMPLETE.'),
  stack_status_reason: Shown(String, 'The reason for the status.', { nullable: true }),
  creation_time: Shown('date-time', 'The time of creation.'),
  updated_time: Shown(
    'date-time',
    'The time when its last action began; null before the first after its creation.',
    {
      nullable: true,
    },
  ),
  deletion_time: Shown('date-time', 'The time of deletion.', { nullable: true }),
  stack_owner: Shown(String, 'The name of the user who made it.', { nullable: true }),
  parent: Shown(String, 'The ID of the stack that it is nested in.', { nullable: true }),
  stack_user_project_id: Shown(String, 'The project of the users of the stack, which is its own.', {
    nullable: true,
  }),
  tags: Shown([String], 'The tags.', { nullable: true }),
};

export const StackSummary = answerClass('StackSummary', {
  ...SUMMARY,
  project: Shown(String, 'The ID of the project that owns it; for administrators.', left),
});

export const StackList = answerClass('StackList', {
  stacks: Shown([() => StackSummary], 'The stacks of the page.'),
  links: Shown([() => Link], 'A link to the next page, if the page is full.', left),
  count: Shown('integer', 'The number of stacks on all pages, if with_count is true.', left),
});

const StackOutput = answerClass('StackOutput', {
  output_key: Shown(String, 'The name.'),
  description: Shown(String, 'The description.'),
  output_value: ShownJson('The value; null until there is one.', left),
  output_error: Shown(String, 'The reason why there is no value.', left),
});

export const OutputAnswer = shownUnder('output', StackOutput);

export const OutputList = allUnder('outputs', StackOutput, 'The outputs, without their values.');

const DETAIL = {
  notification_topics: Shown([Object], 'None.', { schema: { maxItems: 0 } }),
  parameters: Shown(Object, 'The values of the parameters, as strings.', {
    schema: { additionalProperties: { type: 'string' } },
  }),
  template_description: Shown(String, "Its template's description."),
  capabilities: Shown([Object], 'None.', { schema: { maxItems: 0 } }),
  disable_rollback: Shown(Boolean, 'Whether a failed action is left as it is, without a rollback.'),
  timeout_mins: Shown('integer', 'Minutes that an action may take.', { nullable: true }),
};

export const StackDetail = answerClass('StackDetail', {
  ...SUMMARY,
  ...DETAIL,
  outputs: Shown([() => StackOutput], 'The outputs.', left),
});

export const StackAnswer = shownUnder('stack', StackDetail);

export const StackDetailList = allUnder('stacks', StackSummary, 'All stacks of the project.');

const StackReference = answerClass('StackReference', {
  id: Shown(String, 'The ID.'),
  links: Shown([() => Link], 'Links to it.'),
});

export const StackCreated = shownUnder('stack', StackReference);

const StackPreview = answerClass('StackPreview', {
  id: SUMMARY.id,
  links: SUMMARY.links,
  stack_name: SUMMARY.stack_name,
  description: SUMMARY.description,
  creation_time: SUMMARY.creation_time,
  updated_time: SUMMARY.updated_time,
  deletion_time: SUMMARY.deletion_time,
  stack_owner: SUMMARY.stack_owner,
  parent: SUMMARY.parent,
  stack_user_project_id: SUMMARY.stack_user_project_id,
  tags: SUMMARY.tags,
  ...DETAIL,
  outputs: Shown([() => StackOutput], 'The outputs.'),
  resources: Shown([Object], 'The resources; for a nested stack, the list of its resources.', {
    schema: { items: {} },
  }),
});

export const StackPreviewAnswer = shownUnder('stack', StackPreview);

const ResourceChanges = answerClass(
  'ResourceChanges',
  Object.fromEntries(
    ['unchanged', 'updated', 'replaced', 'added', 'deleted'].map((change) => [
      change,
      Shown([Object], `The resources that would be ${change}.`),
    ]),
  ),
);

export const StackChangesAnswer = shownUnder(
  'resource_changes',
  ResourceChanges,
  'The effects of an update.',
);

interface Addressed {
  readonly baseUrl: string;
}

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

/** Heat's default for a template without a description. */
export function describedBy(description: string): string {
  return description === '' ? 'No description' : description;
}

/** Heat's default for an output without a description. */
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

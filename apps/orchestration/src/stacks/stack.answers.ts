/** Stacks on the wire. Public source: Orchestration API reference, "Stacks". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Link } from '../http/links.js';
import { ShownJson } from '../http/json-shape.js';

const left = { optional: true } as const;

const SUMMARY = {
  id: Shown(String, 'Its id.'),
  links: Shown([() => Link], 'Where it is.'),
  stack_name: Shown(String, 'Its name.'),
  description: Shown(String, "Its template's description."),
  stack_status: Shown(String, 'Its last action, and how that ended: CREATE_COMPLETE.'),
  stack_status_reason: Shown(String, 'Why it has its status.', { nullable: true }),
  creation_time: Shown('date-time', 'When it was made.'),
  updated_time: Shown('date-time', 'When its last action began, but for its creation.', {
    nullable: true,
  }),
  deletion_time: Shown('date-time', 'When it was deleted.', { nullable: true }),
  stack_owner: Shown(String, 'The name of the user who made it.', { nullable: true }),
  parent: Shown(String, 'The stack that it is a part of.', { nullable: true }),
  stack_user_project_id: Shown(String, 'The project that signals to it go by: its own.', {
    nullable: true,
  }),
  tags: Shown([String], 'Its tags.', { nullable: true }),
};

export const StackSummary = answerClass('StackSummary', {
  ...SUMMARY,
  project: Shown(String, 'Whose it is, for administrators.', left),
});

export const StackList = answerClass('StackList', {
  stacks: Shown([() => StackSummary], 'The stacks of the page.'),
  links: Shown([() => Link], 'Where the next page is, if the page is full.', left),
  count: Shown('integer', 'How many there are on all pages, if with_count asks.', left),
});

const StackOutput = answerClass('StackOutput', {
  output_key: Shown(String, 'Its name.'),
  description: Shown(String, 'What it is.'),
  output_value: ShownJson('Its value; null while there is none.', left),
  output_error: Shown(String, 'Why there is no value.', left),
});

export const OutputAnswer = answerClass('OutputAnswer', {
  output: Shown(() => StackOutput, 'The output.'),
});

export const OutputList = answerClass('OutputList', {
  outputs: Shown([() => StackOutput], 'The outputs, without their values.'),
});

/** What a stack shows besides its summary. */
const DETAIL = {
  notification_topics: Shown([Object], 'None.', { schema: { maxItems: 0 } }),
  parameters: Shown(Object, 'Values of its parameters, as texts.', {
    schema: { additionalProperties: { type: 'string' } },
  }),
  template_description: Shown(String, "Its template's description."),
  capabilities: Shown([Object], 'None.', { schema: { maxItems: 0 } }),
  disable_rollback: Shown(Boolean, 'Whether it stays as it is when an action fails.'),
  timeout_mins: Shown('integer', 'Minutes that an action may take.', { nullable: true }),
};

export const StackDetail = answerClass('StackDetail', {
  ...SUMMARY,
  ...DETAIL,
  outputs: Shown([() => StackOutput], 'Its outputs.', left),
});

export const StackAnswer = answerClass('StackAnswer', {
  stack: Shown(() => StackDetail, 'The stack.'),
});

export const StackDetailList = answerClass('StackDetailList', {
  stacks: Shown([() => StackSummary], 'All stacks of the project.'),
});

const StackReference = answerClass('StackReference', {
  id: Shown(String, 'Its id.'),
  links: Shown([() => Link], 'Where it is.'),
});

export const StackCreated = answerClass('StackCreated', {
  stack: Shown(() => StackReference, 'The stack.'),
});

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
  outputs: Shown([() => StackOutput], 'Its outputs.'),
  resources: Shown(
    [Object],
    'Its resources; in the place of one that is a stack, a list of what that has.',
    { schema: { items: {} } },
  ),
});

export const StackPreviewAnswer = answerClass('StackPreviewAnswer', {
  stack: Shown(() => StackPreview, 'The stack as it would be.'),
});

const ResourceChanges = answerClass(
  'ResourceChanges',
  Object.fromEntries(
    ['unchanged', 'updated', 'replaced', 'added', 'deleted'].map((change) => [
      change,
      Shown([Object], `The resources that would be ${change}.`),
    ]),
  ),
);

export const StackChangesAnswer = answerClass('StackChangesAnswer', {
  resource_changes: Shown(() => ResourceChanges, 'What an update would do.'),
});

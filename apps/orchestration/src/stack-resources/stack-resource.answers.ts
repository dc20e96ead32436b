/**
 * Resources of stacks on the wire. Public source: Orchestration API reference, "Stack resources".
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { isMap, ShownJson } from '../http/json-shape.js';
import { Link } from '../http/links.js';
import type { JsonObject } from '../json/json.js';

export class MarkUnhealthyDto {
  @BooleanField({ fromText: true, description: 'Whether it is unhealthy, or healthy again.' })
  mark_unhealthy: boolean;

  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    max: 65_536,
    description: 'Why; what its status reason becomes.',
  })
  resource_status_reason?: string | null;
}

const left = { optional: true } as const;

const SUMMARY = {
  links: Shown([() => Link], 'Where it is, its stack, and the stack that it stands for.'),
  resource_name: Shown(String, 'Its name.'),
  logical_resource_id: Shown(String, 'The same.'),
  physical_resource_id: Shown(String, 'What stands for it; empty while nothing does.'),
  resource_type: Shown(String, 'Its type.'),
  resource_status: Shown(String, 'Its last action, and how far that is: CREATE_COMPLETE.'),
  resource_status_reason: Shown(String, 'Why it has its status.'),
  required_by: Shown([String], 'Names of the resources that need it.'),
  creation_time: Shown('date-time', 'When it came to be.'),
  updated_time: Shown('date-time', 'When it last changed.'),
  parent_resource: Shown(String, 'The resource that its stack stands for.', left),
};

export const StackResourceSummary = answerClass('StackResourceSummary', {
  ...SUMMARY,
  description: Shown(String, 'What it is for; with_detail alone.', left),
  attributes: Shown(Object, 'Values of its attributes; with_detail alone.', left),
});

export const StackResourceList = answerClass('StackResourceList', {
  resources: Shown([() => StackResourceSummary], 'The resources.'),
});

const StackResourceView = answerClass('StackResourceView', {
  ...SUMMARY,
  description: Shown(String, 'What it is for.'),
  attributes: Shown(Object, 'Values of its attributes.'),
});

export const StackResourceAnswer = answerClass('StackResourceAnswer', {
  resource: Shown(() => StackResourceView, 'The resource.'),
});

export const ResourceMetadata = answerClass('ResourceMetadata', {
  metadata: ShownJson('Its metadata.'),
});

/**
 * What a signal says; without a body, nothing. What it means is its resource's type's to say: a wait
 * condition handle of Heat's reads `status`, `reason`, `id` and `data`, one of Amazon's `Status`,
 * `Reason`, `UniqueId` and `Data`, a deployment the names of its outputs.
 * @throws InvalidInputError for what is no object
 */
export function signalDetails(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (isMap(body)) return body as JsonObject;
  throw new InvalidInputError('Invalid input: a signal must be an object.');
}

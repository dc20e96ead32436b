/** Resources of stacks on the wire. Public source: Orchestration API reference, "Stack resources". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { isMap, ShownJson } from '../http/json-shape.js';
import { Link } from '../http/links.js';
import type { JsonObject } from '../json/json.js';

export class MarkUnhealthyDto {
  @BooleanField({
    fromText: true,
    description: 'True if it is unhealthy, false if it is healthy again.',
  })
  mark_unhealthy: boolean;

  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    max: 65_536,
    description: 'The reason, which becomes its status reason.',
  })
  resource_status_reason?: string | null;
}

const left = { optional: true } as const;

const SUMMARY = {
  links: Shown([() => Link], 'Links to it, its stack and its nested stack.'),
  resource_name: Shown(String, 'The name.'),
  logical_resource_id: Shown(String, 'The name, again.'),
  physical_resource_id: Shown(
    String,
    'The ID of the resource in its service; empty until it exists.',
  ),
  resource_type: Shown(String, 'The type.'),
  resource_status: Shown(String, 'The last action and its status, such as CREATE_COMPLETE.'),
  resource_status_reason: Shown(String, 'The reason for the status.'),
  required_by: Shown([String], 'Names of the resources that need it.'),
  creation_time: Shown('date-time', 'The time of creation.'),
  updated_time: Shown('date-time', 'The time of the last change.'),
  parent_resource: Shown(String, 'The resource that its stack is nested in.', left),
};

export const StackResourceSummary = answerClass('StackResourceSummary', {
  ...SUMMARY,
  description: Shown(String, 'The description; only with with_detail.', left),
  attributes: Shown(Object, 'Values of its attributes; only with with_detail.', left),
});

export const StackResourceList = allUnder('resources', StackResourceSummary);

const StackResourceView = answerClass('StackResourceView', {
  ...SUMMARY,
  description: Shown(String, 'The description.'),
  attributes: Shown(Object, 'Values of its attributes.'),
});

export const StackResourceAnswer = shownUnder('resource', StackResourceView);

export const ResourceMetadata = answerClass('ResourceMetadata', {
  metadata: ShownJson('Its metadata.'),
});

/**
 * The details of a signal, whose meaning depends on the resource's type: Heat's wait condition
 * handle reads `status`, `reason`, `id` and `data`, AWS's `Status`, `Reason`, `UniqueId` and `Data`,
 * a deployment the names of its outputs.
 * @throws InvalidInputError for anything but an object
 */
export function signalDetails(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (isMap(body)) return body as JsonObject;
  throw new InvalidInputError('Invalid input: a signal must be an object.');
}

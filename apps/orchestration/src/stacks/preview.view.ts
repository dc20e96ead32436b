/** Previews in Heat's form. Pure. Public source: Orchestration API reference, "Preview stack". */
import type {
  NewStack,
  PreviewedChanges,
  PreviewedResource,
  PreviewedStack,
} from '../engine/stack-commands.js';
import { heatTime, stackLink } from '../http/links.js';
import { findResourceType } from '../resource-types/registry.js';
import { shownParameters } from '../template/parameters/parameter-view.js';
import { describedBy, describedOutput } from './stack.view.js';

const NO_ID = 'None';

interface Caller {
  readonly baseUrl: string;
  readonly projectId: string;
}

/** The stack's part of a previewed resource. */
interface Place {
  readonly stackName: string;
  readonly stackId: string;
  readonly tenant: string;
  /** The resource that the stack implements. */
  readonly parent?: string;
}

/** @param now the time of the hypothetical creation */
export function previewView(
  ctx: Caller,
  { template, resources, userName }: PreviewedStack,
  asked: NewStack,
  now: Date,
): object {
  const { name } = asked;
  const description = describedBy(template.description);
  const address = { id: NO_ID, name, projectId: ctx.projectId };
  const place = { stackName: name, stackId: NO_ID, tenant: ctx.projectId };
  return {
    id: NO_ID,
    links: [stackLink(ctx, address)],
    stack_name: name,
    description,
    template_description: description,
    creation_time: heatTime(now),
    updated_time: null,
    deletion_time: null,
    stack_owner: userName,
    parent: null,
    stack_user_project_id: ctx.projectId,
    tags: asked.tags ?? null,
    notification_topics: [],
    capabilities: [],
    parameters: shownParameters(template, address),
    disable_rollback: asked.disableRollback ?? true,
    timeout_mins: asked.timeoutMinutes ?? null,
    outputs: Object.entries(template.outputs).map(([key, output]) => ({
      output_key: key,
      description: describedOutput(output.description),
      output_value: null,
    })),
    resources: resources.map((one) => previewedResource(one, place)),
  };
}

/** A nested stack is shown as the list of its resources. */
function previewedResource(one: PreviewedResource, place: Place): object {
  const { name, nested } = one;
  if (nested === undefined) return { ...previewed(one, place), properties: one.properties };
  const below = { ...place, stackName: `${place.stackName}-${name}`, parent: name };
  return nested.map((each) => previewedResource(each, below));
}

export function changesView(
  changes: PreviewedChanges,
  stack: { readonly id: string; readonly name: string; readonly projectId: string },
): object {
  const place = { stackName: stack.name, stackId: stack.id, tenant: stack.projectId };
  const all = Object.entries(changes).map(([change, resources]) => [
    change,
    resources.map((one) => previewed(one, place)),
  ]);
  return Object.fromEntries(all) as object;
}

function previewed(one: PreviewedResource, place: Place): object {
  const { stackName, stackId, tenant, parent } = place;
  const identity = { stack_name: stackName, stack_id: stackId, tenant };
  const names = Object.keys(findResourceType(one.type)?.attributes ?? {});
  return {
    resource_name: one.name,
    resource_type: one.type,
    resource_action: 'INIT',
    resource_status: 'COMPLETE',
    resource_status_reason: '',
    physical_resource_id: one.physicalId ?? '',
    creation_time: null,
    updated_time: null,
    resource_identity: { ...identity, path: `/resources/${one.name}` },
    stack_identity: { ...identity, path: '' },
    stack_name: stackName,
    required_by: one.requiredBy,
    description: one.description,
    metadata: one.metadata,
    attributes: Object.fromEntries(names.map((name) => [name, null])),
    ...(parent === undefined ? {} : { parent_resource: parent }),
  };
}

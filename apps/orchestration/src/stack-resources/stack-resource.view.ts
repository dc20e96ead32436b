import { heatTime, resourceLink, stackLink } from '../http/links.js';
import type { JsonObject } from '../json/json.js';
import type { ListedResource } from './shown-resource.repository.js';

interface Addressed {
  readonly baseUrl: string;
}

export function resourceSummary(ctx: Addressed, row: ListedResource): object {
  const { name, projectId, nestedId, nestedName, parentName } = row;
  const stack = { id: row.stackId, name: row.stackName, projectId };
  return {
    links: [
      resourceLink(ctx, stack, name),
      stackLink(ctx, stack, 'stack'),
      ...(nestedId === null || nestedName === null
        ? []
        : [stackLink(ctx, { id: nestedId, name: nestedName, projectId }, 'nested')]),
    ],
    resource_name: name,
    logical_resource_id: name,
    physical_resource_id: row.physicalId ?? '',
    resource_type: row.type,
    resource_status: `${row.action}_${row.status}`,
    resource_status_reason: row.reason,
    required_by: row.requiredBy,
    creation_time: heatTime(row.createdAt),
    updated_time: heatTime(row.updatedAt),
    ...(parentName === null ? {} : { parent_resource: parentName }),
  };
}

export function resourceView(ctx: Addressed, row: ListedResource, attributes: JsonObject): object {
  return { ...resourceSummary(ctx, row), description: '', attributes };
}

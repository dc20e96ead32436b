import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

export class NodeGroupNotFoundError extends notFound(
  (ident: string) => `Nodegroup ${ident} could not be found.`,
) {}

export class NodeGroupExistsError extends conflict(
  (name: string) => `A node group with name ${name} already exists in the cluster.`,
) {}

/** A group exists until its servers are gone. */
export class LeavingNodeGroupError extends conflict(
  (name: string) => `Node group ${name} is being deleted.`,
) {}

/** Public source: magnum, `conductor/handlers/nodegroup_conductor.py`, `allowed_operation`. */
export class NodeGroupBusyError extends invalid(
  (status: string) => `Updating a node group when its status is "${status}" is not supported.`,
) {}

/** Magnum answers 409 to inconsistent node groups. */
export class NodeGroupInvalidInputError extends conflict(
  (attribute: string, group: string, why: string) =>
    `${attribute} for ${group} is invalid (${why}).`,
) {}

export class MasterNodeGroupError extends invalid(
  'Creating master nodegroups is currently not supported.',
) {}

export class DefaultNodeGroupError extends invalid(
  'Deleting a default nodegroup is not supported.',
) {}

export class ResizeOutOfRangeError extends invalid(
  (group: string, min: number, max: number | null) =>
    `Resizing ${group} outside the allowed range: min_node_count = ${min}, max_node_count = ${max ?? 'None'}`,
) {}

export class UnknownNodeError extends invalid(
  (ident: string, group: string) =>
    `nodes_to_remove names ${ident}, which is not a node of ${group}.`,
) {}

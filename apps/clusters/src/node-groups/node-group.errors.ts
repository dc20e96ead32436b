import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class NodeGroupNotFoundError extends DomainError {
  constructor(ident: string) {
    super('not-found', `Nodegroup ${ident} could not be found.`);
  }
}

export class NodeGroupExistsError extends DomainError {
  constructor(name: string) {
    super('conflict', `A node group with name ${name} already exists in the cluster.`);
  }
}

/** It is there until its servers are gone. */
export class LeavingNodeGroupError extends DomainError {
  constructor(name: string) {
    super('conflict', `Node group ${name} is being deleted.`);
  }
}

/** Public source: magnum, `conductor/handlers/nodegroup_conductor.py`, `allowed_operation`. */
export class NodeGroupBusyError extends InvalidInputError {
  constructor(status: string) {
    super(`Updating a node group when its status is "${status}" is not supported.`);
  }
}

/** As Magnum answers what of a node group does not fit together. */
export class NodeGroupInvalidInputError extends DomainError {
  constructor(attribute: string, group: string, why: string) {
    super('conflict', `${attribute} for ${group} is invalid (${why}).`);
  }
}

export class MasterNodeGroupError extends InvalidInputError {
  constructor() {
    super('Creating master nodegroups is currently not supported.');
  }
}

export class DefaultNodeGroupError extends InvalidInputError {
  constructor() {
    super('Deleting a default nodegroup is not supported.');
  }
}

export class ResizeOutOfRangeError extends InvalidInputError {
  constructor(group: string, min: number, max: number | null) {
    super(
      `Resizing ${group} outside the allowed range: min_node_count = ${min}, max_node_count = ${max ?? 'None'}`,
    );
  }
}

export class UnknownNodeError extends InvalidInputError {
  constructor(ident: string, group: string) {
    super(`nodes_to_remove names ${ident}, which is no node of ${group}.`);
  }
}

import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { SupersededError } from '@cumulet/common/states/transition';

export class ClusterNotFoundError extends DomainError {
  constructor(ident: string) {
    super('not-found', `Cluster ${ident} could not be found.`);
  }
}

/** As a body that names one is answered. */
export class UnknownClusterError extends InvalidInputError {
  constructor(ident: string) {
    super(`Cluster ${ident} could not be found.`);
  }
}

export class AmbiguousClusterError extends DomainError {
  constructor(name: string) {
    super(
      'conflict',
      `Multiple clusters exist with same name '${name}'. Please use the cluster uuid instead.`,
    );
  }
}

export class InvalidClusterError extends InvalidInputError {}

export class ZeroNodeCountNotSupportedError extends InvalidInputError {
  constructor() {
    super('A node_count of 0 needs the API version 1.10 or later.');
  }
}

export class EvenMasterCountError extends InvalidInputError {
  constructor(count: number) {
    super(
      `master nodegroup size of ${count} is invalid, size cannot be an even number: etcd needs a majority.`,
    );
  }
}

export class ClusterPropertiesFixedError extends InvalidInputError {
  constructor(names: readonly string[]) {
    super(`cannot change cluster property(ies) ${names.join(', ')}.`);
  }
}

/**
 * The cluster is in a state in which the operation is not possible. Public source: magnum,
 * `conductor/handlers/cluster_conductor.py`, `NotSupported`.
 */
export class ClusterBusyError extends SupersededError {
  /** @param doing `Resizing` */
  constructor(doing: string, status: string) {
    super('invalid', `${doing} a cluster when status is "${status}" is not supported.`);
  }
}

export class InvalidClusterTemplateForUpgradeError extends DomainError {
  constructor(reason: string) {
    super('conflict', `Cluster Template is not valid for upgrade: ${reason}`);
  }
}

/** What it takes is not on nodes of an operator's own image. */
export class NoAgentError extends InvalidInputError {
  constructor(id: string, bootstrap: string, doing: string) {
    super(`${doing} is not supported for cluster ${id}, whose nodes come to be by ${bootstrap}.`);
  }
}

/** The address of the API would be another. */
export class MovingMasterError extends DomainError {
  constructor(id: string) {
    super(
      'conflict',
      `The masters of cluster ${id} cannot be replaced: its API has no address that stays, as it was made without master_lb_enabled.`,
    );
  }
}

export class HiddenClusterTemplateError extends DomainError {
  constructor(ident: string) {
    super('forbidden', `ClusterTemplate ${ident} is hidden, and only administrators use it.`);
  }
}

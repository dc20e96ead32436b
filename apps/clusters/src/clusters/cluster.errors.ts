import {
  InvalidInputError,
  notFound,
  invalid,
  conflict,
  forbidden,
} from '@cumulet/common/errors/domain-error';
import { SupersededError } from '@cumulet/common/states/transition';

export class ClusterNotFoundError extends notFound(
  (ident: string) => `Cluster ${ident} could not be found.`,
) {}

/** The answer to a body that names an unknown cluster. */
export class UnknownClusterError extends invalid(
  (ident: string) => `Cluster ${ident} could not be found.`,
) {}

export class AmbiguousClusterError extends conflict(
  (name: string) =>
    `Multiple clusters exist with same name '${name}'. Please use the cluster uuid instead.`,
) {}

export class InvalidClusterError extends InvalidInputError {}

export class ZeroNodeCountNotSupportedError extends invalid(
  'A node_count of 0 needs the API version 1.10 or later.',
) {}

export class EvenMasterCountError extends invalid(
  (count: number) =>
    `master nodegroup size of ${count} is invalid, size cannot be an even number: etcd needs a majority.`,
) {}

export class ClusterPropertiesFixedError extends invalid(
  (names: readonly string[]) => `cannot change cluster property(ies) ${names.join(', ')}.`,
) {}

/**
 * The cluster's state does not allow the operation. Public source: magnum,
 * `conductor/handlers/cluster_conductor.py`, `NotSupported`.
 */
export class ClusterBusyError extends SupersededError {
  /** @param doing `Resizing` */
  constructor(doing: string, status: string) {
    super('invalid', `${doing} a cluster when status is "${status}" is not supported.`);
  }
}

export class InvalidClusterTemplateForUpgradeError extends conflict(
  (reason: string) => `Cluster Template is not valid for upgrade: ${reason}`,
) {}

/** The operation needs the platform's agent, which nodes of an operator's own image lack. */
export class NoAgentError extends invalid(
  (id: string, bootstrap: string, doing: string) =>
    `${doing} is not supported for cluster ${id}, whose nodes come to be by ${bootstrap}.`,
) {}

/** The API's address would change. */
export class MovingMasterError extends conflict(
  (id: string) =>
    `The masters of cluster ${id} cannot be replaced: its API has no address that stays, as it was made without master_lb_enabled.`,
) {}

export class HiddenClusterTemplateError extends forbidden(
  (ident: string) => `ClusterTemplate ${ident} is hidden, and only administrators use it.`,
) {}

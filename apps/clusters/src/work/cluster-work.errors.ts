import { errorOf } from '@cumulet/common/errors/domain-error';

/** The infrastructure could not be made, for these reasons. */
export class InfrastructureFailedError extends errorOf(
  'unprocessable',
  (reason: string) => reason,
) {}

/** It is gone, though nobody has asked for that here. */
export class InfrastructureGoneError extends errorOf(
  'gone',
  'The stack of the cluster is gone: the cluster can only be deleted.',
) {}

/** A node has said that it failed. */
export class NodeFailedError extends errorOf('unprocessable', (reason: string) => reason) {}

export class ClusterTimedOutError extends errorOf(
  'gone',
  (action: string, minutes: number, missing: string) =>
    `${action} timed out after ${minutes} minutes: ${missing}`,
) {}

import { errorOf } from '@cumulet/common/errors/domain-error';

export class InfrastructureFailedError extends errorOf(
  'unprocessable',
  (reason: string) => reason,
) {}

/** Deleted by others than this service. */
export class InfrastructureGoneError extends errorOf(
  'gone',
  'The stack of the cluster is gone: the cluster can only be deleted.',
) {}

export class NodeFailedError extends errorOf('unprocessable', (reason: string) => reason) {}

export class ClusterTimedOutError extends errorOf(
  'gone',
  (action: string, minutes: number, missing: string) =>
    `${action} timed out after ${minutes} minutes: ${missing}`,
) {}

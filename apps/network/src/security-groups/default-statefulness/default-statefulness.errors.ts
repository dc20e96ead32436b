import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class SecurityGroupDefaultStatefulnessNotFoundError extends notFound(
  (id: unknown) => `Security group default statefulness ${String(id)} could not be found.`,
) {}

export class SecurityGroupDefaultStatefulnessAlreadyExistsError extends conflict(
  (projectId: string | null) =>
    `A security group default statefulness setting already exists for project '${projectId ?? 'system-wide'}'.`,
) {}

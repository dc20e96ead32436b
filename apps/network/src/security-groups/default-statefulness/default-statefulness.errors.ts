import { DomainError } from '@cumulet/common/errors/domain-error';

export class SecurityGroupDefaultStatefulnessNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Security group default statefulness ${String(id)} could not be found.`);
  }
}

export class SecurityGroupDefaultStatefulnessAlreadyExistsError extends DomainError {
  constructor(projectId: string | null) {
    super(
      'conflict',
      `A security group default statefulness setting already exists for project '${projectId ?? 'system-wide'}'.`,
    );
  }
}

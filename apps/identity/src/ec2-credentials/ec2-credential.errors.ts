import { ForbiddenError } from '@cumulet/common/errors/domain-error';

/** An access key would be good for nothing there. */
export class NoRoleOnProjectError extends ForbiddenError {
  constructor(userId: string, projectId: string) {
    super(
      `The user ${userId} has no role on the project ${projectId}, or the project is disabled.`,
    );
  }
}

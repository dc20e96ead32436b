import { InvalidInputError } from '@cumulet/common/errors/domain-error';

export class PasswordRequirementsError extends InvalidInputError {
  /** @param text what the operator says of the pattern */
  constructor(text: string) {
    super(`The password does not match the requirements: ${text}.`);
  }
}

export class PasswordReusedError extends InvalidInputError {
  constructor(history: number) {
    super(
      history === 1
        ? 'The new password must not be the current one.'
        : `The new password must not be one of the last ${history} of this user.`,
    );
  }
}

export class PasswordTooYoungError extends InvalidInputError {
  constructor(minimumAgeDays: number, daysLeft: number) {
    super(
      `The password must be kept for ${days(minimumAgeDays)} before it can be changed: try again in ${days(daysLeft)}, or let an administrator change it.`,
    );
  }
}

export class PasswordLockedError extends InvalidInputError {
  constructor(userId: string) {
    super(
      `The user ${userId} may not change its own password: its option lock_password is set. Let an administrator change it.`,
    );
  }
}

function days(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}

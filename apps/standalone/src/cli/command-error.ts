/** A command failed. The message is one line for the person who ran it. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** It was called with arguments that it does not know. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

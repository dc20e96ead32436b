/** A command cannot do what it was asked to. The message is one line for the person who asked. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** It was called in a way that it does not know. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

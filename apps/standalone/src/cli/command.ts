/** A command of `cumulet`: its arguments and its effect. */
import type { Actor } from './identity/actor.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** The placeholder for its value in the help: `NAME`. */
  readonly value?: string;
  readonly about: string;
}

/** The given arguments: options by name, and the operands in order. */
export interface Arguments {
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly operands: readonly string[];
}

/** A command's only access to the outside. */
export interface CommandScope {
  /** @throws CommandError if nobody is there to act */
  findActor(): Promise<Actor>;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Writes the result; resolves once the reader has it. */
  print(text: string): Promise<void>;
  /** Writes a message besides the result. */
  say(line: string): void;
  /** Aborted when the person cancels. */
  readonly interrupted: AbortSignal;
}

export interface Command {
  /** `['project', 'create']` */
  readonly words: readonly string[];
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Further details, in lines. */
  readonly details: readonly string[];
  /** Checks the arguments without side effects, and returns the action. @throws UsageError */
  prepare(args: Arguments): (scope: CommandScope) => Promise<void>;
}

/** What a command of `cumulet` is: how it is called, and what it does. */
import type { Actor } from './identity/actor.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** What stands for its value in the help: `NAME`. */
  readonly value?: string;
  readonly about: string;
}

/** What was given: options by name, and the operands in their order. */
export interface Arguments {
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly operands: readonly string[];
}

/** The world of a command, as far as it may touch it. */
export interface CommandScope {
  readonly actor: Actor;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Writes the result; fulfilled once whoever reads it has it. */
  print(text: string): Promise<void>;
  /** Tells the person, beside the result. */
  say(line: string): void;
  /** Aborted where the person does not want it any more. */
  readonly interrupted: AbortSignal;
}

export interface Command {
  /** `['project', 'create']` */
  readonly words: readonly string[];
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What there is to know beyond it, in lines. */
  readonly details: readonly string[];
  /**
   * Checks what was given, without touching anything, and answers what is to be done.
   * @throws UsageError
   */
  prepare(args: Arguments): (scope: CommandScope) => Promise<void>;
}

/**
 * Writes lines and words for a POSIX shell. Public source: POSIX.1-2024, "2.2 Quoting". Pure.
 *
 * Always holds: a value is one literal word, and the template around it is unchanged.
 */
import type { Code } from './code.js';

export type Shell = Code<'shell'>;
export type ShellWord = Code<'shell-word'>;

/** The text cannot be written as a shell word. */
export class UnquotableTextError extends Error {
  override readonly name = 'UnquotableTextError';
}

/** One or several lines, with words between. A backslash is literal, as in `String.raw`. */
export function sh(text: TemplateStringsArray, ...words: readonly (ShellWord | number)[]): Shell {
  return String.raw(text, ...words) as Shell;
}

/** Any text but NUL, quoted. @throws UnquotableTextError */
export function quotedWord(text: string): ShellWord {
  if (text.includes('\0')) throw new UnquotableTextError('a word of a shell must not contain NUL');
  return `'${text.replaceAll("'", String.raw`'\''`)}'` as ShellWord;
}

/** Needs no quoting in a shell, in `NAME=value` lines, or in YAML. */
const PLAIN = /^[A-Za-z0-9_./+=:@%-]*$/;

/** A word that needs no quotes. @throws UnquotableTextError */
export function plainWord(text: string): ShellWord {
  if (PLAIN.test(text)) return text as ShellWord;
  throw new UnquotableTextError(
    `'${text.slice(0, 64)}' may only contain letters, digits and _./+=:@%-`,
  );
}

/** An assignment, whose value needs no quotes. @throws UnquotableTextError */
export function assignment(name: string, value: string): Shell {
  // Brackets of IPv6 addresses are patterns only in pathname expansion.
  plainWord(value.replaceAll(/[[\]]/g, ''));
  return `${name}=${value}` as Shell;
}

/**
 * Validates regular expressions for Postgres. Public source: PostgreSQL documentation, "9.7.3.
 * POSIX Regular Expressions", advanced ones (ARE). Pure.
 *
 * Always holds: an expression compiles, has no more states than characters, so that no filter
 * occupies a connection, and cannot switch to another syntax.
 */
import type { Code } from './code.js';

export type RegularExpression = Code<'postgres-regex'>;

const MAX_LENGTH = 255;
/** Bounds the stack that Postgres needs. */
const MAX_DEPTH = 32;

/** The expression is refused; the message says why. */
export class ExpressionRefusedError extends Error {
  override readonly name = 'ExpressionRefusedError';
}

/** @throws ExpressionRefusedError */
export function regularExpression(text: string): RegularExpression {
  if (text.length > MAX_LENGTH) throw unoffered(`is longer than ${MAX_LENGTH}`);
  const end = alternatives(text, 0, 0);
  if (end < text.length) throw invalid('closes a group that is not open');
  return text as RegularExpression;
}

/** Unsupported atoms. */
const UNOFFERED: readonly (readonly [start: RegExp, reason: string])[] = [
  [/^\*{3}/, 'chooses a syntax'],
  [/^\(\?[a-z]/i, 'chooses a syntax'],
  [/^\(\?[=!<]/, 'looks around'],
  [/^\(\?#/, 'has a comment'],
  [/^\(\?(?!:)/, 'has a group of an unknown kind'],
  [/^\{\d/, 'counts repetitions'],
  [/^\\[1-9]/, 'refers back to a group'],
];

/** Zero-width, so they cannot be repeated. */
const CONSTRAINT = /^(?:[\^$]|\\[AmMyYZ])/;
/** A character, or a class of them. */
const PLAIN = /^(?:\\[dDsSwWaBbefnrtv]|\\[ -/:-@[-`{-~]|[^\\()[|*+?])/u;
const QUANTIFIER = /^[*+?]\??/;

/** @returns the end: that of the text, or of its group */
function alternatives(text: string, start: number, depth: number): number {
  if (depth > MAX_DEPTH) throw unoffered(`nests deeper than ${MAX_DEPTH}`);
  let at = start;
  while (at < text.length && text[at] !== ')') {
    if (text[at] === '|') at += 1;
    else at += atom(text.slice(at), depth);
  }
  return at;
}

/** @returns the length of the first atom with its quantifier */
function atom(text: string, depth: number): number {
  const reason = UNOFFERED.find(([start]) => start.test(text))?.[1];
  if (reason !== undefined) throw unoffered(reason);
  if (QUANTIFIER.test(text)) throw invalid('repeats nothing');
  const [constraint] = CONSTRAINT.exec(text) ?? [];
  if (constraint !== undefined) return constraint.length;
  const width = text.startsWith('(')
    ? group(text, depth)
    : text.startsWith('[')
      ? list(text)
      : lengthOf(PLAIN.exec(text));
  return width + (QUANTIFIER.exec(text.slice(width))?.[0].length ?? 0);
}

function group(text: string, depth: number): number {
  const end = alternatives(text, text.startsWith('(?:') ? 3 : 1, depth + 1);
  if (end < text.length) return end + 1;
  throw invalid('opens a group that it does not close');
}

const CLASS =
  /^(?:\[:(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]|\\[dsw])/;
const MEMBER = /^(?:\\[ -/:-@[-`{-~]|\[(?![.=:])|[^\\[])/u;

/** A bracket expression, whose first characters are members whatever they are. */
function list(text: string): number {
  const first = text.startsWith('[^') ? 2 : 1;
  let at = first;
  while (at === first || text[at] !== ']') {
    const rest = text.slice(at);
    const [named] = CLASS.exec(rest) ?? [];
    if (named !== undefined) at += named.length;
    else if (rest.startsWith('-') && at > first && rest[1] !== ']')
      throw invalid('has a range of characters that does not begin');
    else at += members(rest);
  }
  return at + 1;
}

/** A character, or a range from one to another. */
function members(text: string): number {
  const from = MEMBER.exec(text);
  const width = lengthOf(from);
  if (text[width] !== '-' || text[width + 1] === ']') return width;
  const to = MEMBER.exec(text.slice(width + 1));
  if (codeOf(from) > codeOf(to))
    throw invalid('has a range of characters that ends before it begins');
  return width + 1 + lengthOf(to);
}

function codeOf(found: RegExpExecArray | null): number {
  return found?.[0].replace(/^\\(?=.)/, '').codePointAt(0) ?? 0;
}

function lengthOf(found: RegExpExecArray | null): number {
  if (found !== null) return found[0].length;
  throw unoffered('has an escape or a list of characters of an unknown kind');
}

function unoffered(reason: string): ExpressionRefusedError {
  return new ExpressionRefusedError(`${reason}, which is not supported`);
}

function invalid(reason: string): ExpressionRefusedError {
  return new ExpressionRefusedError(`is not a valid regular expression: it ${reason}`);
}

/**
 * Filters by a regular expression, as Nova's and Heat's lists have: it may match anywhere in the
 * text. Clients mostly send a plain name, which needs no expression at all.
 *
 * Always holds: what reaches Postgres as an expression has as many states as it has characters, so
 * that no filter keeps a connection busy.
 */
import { InvalidInputError } from '../errors/domain-error.js';
import { equals, textMatches, type Condition } from './condition.js';

const MAX_LENGTH = 255;

/** `^name$` with nothing in between that is more than a letter. */
const LITERAL = /^(\^?)([^\\^$.[\]{}()*+?|]*)(\$?)$/;

/** What multiplies the states, or makes Postgres search back; braces in a list are letters. */
const COSTLY: readonly (readonly [RegExp, string])[] = [
  [/\{\d/, 'counts repetitions'],
  [/\\[1-9]/, 'refers back to a group'],
  [/\(\?[=!<]/, 'looks around'],
  [/^\*{3}/, 'chooses a syntax'],
  [/^\(\?[a-z]/i, 'chooses a syntax'],
];

/** @throws InvalidInputError for an expression that this service does not offer */
export function matchesPattern(property: string, pattern: string): Condition {
  const [, start, text = '', end] = LITERAL.exec(pattern) ?? [];
  if (start !== undefined) {
    if (start && end) return equals(property, text);
    return textMatches(property, start ? 'startswith' : end ? 'endswith' : 'contains', text);
  }
  const bare = pattern.replaceAll(/\[\^?\]?[^\]]*\]|\\[^0-9]/g, '_');
  const costly = COSTLY.find(([form]) => form.test(bare));
  const reason = pattern.length > MAX_LENGTH ? `is longer than ${MAX_LENGTH}` : costly?.[1];
  if (reason !== undefined) {
    throw new InvalidInputError(
      `Invalid input: ${property} '${pattern.slice(0, 64)}' ${reason}, which is not supported.`,
    );
  }
  return (bind, column) => `${column(property)} ~ ${bind(pattern)}`;
}

/**
 * Filters by a regular expression, as Nova's and Heat's lists have: it may match anywhere in the
 * text. Clients mostly send a plain name, which needs no expression at all.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  regularExpression,
  ExpressionRefusedError,
  type RegularExpression,
} from '@cumulet/common/languages/postgres-regex';
import { equals, textMatches, type Condition } from '@cumulet/common/tables/condition';

/** `^name$` with nothing in between that is more than a letter. */
const LITERAL = /^(\^?)([^\\^$.[\]{}()*+?|]*)(\$?)$/;

/** @throws InvalidInputError for an expression that this service does not offer */
export function matchesPattern(property: string, pattern: string): Condition {
  const [, start, text = '', end] = LITERAL.exec(pattern) ?? [];
  if (start !== undefined) {
    if (start && end) return equals(property, text);
    return textMatches(property, start ? 'startswith' : end ? 'endswith' : 'contains', text);
  }
  const expression = expressionIn(property, pattern);
  return (bind, column) => `${column(property)} ~ ${bind(expression)}`;
}

/** @throws InvalidInputError for an expression that this service does not offer */
export function expressionIn(property: string, pattern: string): RegularExpression {
  try {
    return regularExpression(pattern);
  } catch (error) {
    if (!(error instanceof ExpressionRefusedError)) throw error;
    throw new InvalidInputError(
      `Invalid input: ${property} '${pattern.slice(0, 64)}' ${error.message}.`,
    );
  }
}

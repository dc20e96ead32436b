/** Filters by regular expression, which matches anywhere in the text, as in Nova and Heat. */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  regularExpression,
  ExpressionRefusedError,
  type RegularExpression,
} from '@cumulet/common/languages/postgres-regex';
import { equals, textMatches, type Condition } from '@cumulet/common/tables/condition';

/** `^name$`, with nothing special in the name: needs no expression. */
const LITERAL = /^(\^?)([^\\^$.[\]{}()*+?|]*)(\$?)$/;

/** @throws InvalidInputError for an unsupported expression */
export function matchesPattern(property: string, pattern: string): Condition {
  const [, start, text = '', end] = LITERAL.exec(pattern) ?? [];
  if (start !== undefined) {
    if (start && end) return equals(property, text);
    return textMatches(property, start ? 'startswith' : end ? 'endswith' : 'contains', text);
  }
  const expression = expressionIn(property, pattern);
  return (bind, column) => `${column(property)} ~ ${bind(expression)}`;
}

/** @throws InvalidInputError for an unsupported expression */
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

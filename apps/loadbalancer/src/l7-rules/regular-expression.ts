/**
 * Whether a proxy may be given a regular expression. HAProxy compiles it by PCRE2 and matches with
 * it in the thread that serves everybody: one that does not compile, or takes for ever, is refused.
 * What takes a power of the subject's length (`.*.*x`) is bounded by PCRE2's own limit of tries.
 */
import { refuseAmbiguous } from './expression-ambiguity.js';
import { ExpressionFault, parseExpression } from './expression-syntax.js';

/**
 * @param ignoresCase whether letters' case does not count, whatever the expression says
 * @returns why not; undefined if it may
 */
export function expressionFault(text: string, ignoresCase = false): string | undefined {
  try {
    const parsed = parseExpression(text);
    refuseAmbiguous(parsed.expression, ignoresCase || parsed.ignoresCase);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionFault)
      return `Unable to parse regular expression: ${error.message}`;
    throw error;
  }
}

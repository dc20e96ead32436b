import { TemplateSyntaxError } from '../template.errors.js';

/**
 * What is wrong with a text, and where. Lines and columns count from 1.
 *
 * @param what `template [root stack]`
 */
export function syntaxError(
  what: string,
  text: string,
  offset: number,
  reason: string,
): TemplateSyntaxError {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return new TemplateSyntaxError(
    `Error parsing ${what} ${reason}, in line ${line}, column ${column}.`,
  );
}

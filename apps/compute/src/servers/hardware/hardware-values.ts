/** Values of image properties and extra specs, which are texts. Pure. */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';

export type Texts = Readonly<Record<string, string | undefined>>;

/** As oslo's `bool_from_string` reads it. */
export function isYes(text: string | undefined): boolean {
  return text !== undefined && /^(1|t|true|on|y|yes)$/i.test(text.trim());
}

/** @throws InvalidInputError for what is no whole number of at least 0 */
export function numberOf(texts: Texts, name: string): number | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  throw new InvalidInputError(`Invalid input: ${name} '${text}' is not a number.`);
}

/** @throws InvalidInputError for a value that is not among them */
export function oneOf<Value extends string>(
  texts: Texts,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw new InvalidInputError(
    `Invalid input: ${name} '${text}' is not offered: there are ${values.join(', ')}.`,
  );
}

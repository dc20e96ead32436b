/**
 * The validator of an image's data, which stays the same for as long as every byte does. It is the
 * only one: no answer has a `Last-Modified`, so a date never matches. Public source: RFC 9110,
 * "Validator Fields" and "Preconditions".
 */

/** A strong validator. */
export function entityTagOf({ hashValue }: { readonly hashValue: string }): string {
  return `"${hashValue}"`;
}

/**
 * @param ifNoneMatch the header @returns whether it names the present data, so that nothing need be
 *   sent
 */
export function isNamedBy(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(entityTag);
}

/** @param ifRange the header @returns whether it names the present data, to the byte */
export function isUnchanged(
  ifRange: string | readonly string[] | undefined,
  entityTag: string,
): boolean {
  return ifRange === undefined || ifRange === entityTag;
}

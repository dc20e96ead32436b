/** Whether Postgres can store it: neither U+0000 nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}

/**
 * Characters as Postgres and Python count them: a surrogate pair is one. Linear in the text and
 * without an array, since its length is not yet limited.
 */
export function characterCount(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

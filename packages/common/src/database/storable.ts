/** Texts in Postgres. Pure. */

/** Whether Postgres can store it: neither U+0000 nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}

/**
 * Characters as Postgres and Python count them: a surrogate pair is one. In time linear in the text, and
 * without a list of them, since nobody has bounded the text yet.
 */
export function characterCount(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

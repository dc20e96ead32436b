/** Entity tags in conditions: `"a", W/"b"`, `*`; clients send them without quotes too. Pure. */

/** @returns whether a list of tags names this one, which has no quotes */
export function namesTag(list: string, etag: string): boolean {
  return list.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || plainTag(tag) === etag;
  });
}

/** `"a"` and `W/"a"` without what is around them. */
export function plainTag(tag: string): string {
  return tag.replace(/^(?:W\/)?"(.*)"$/, '$1');
}

/**
 * Keys that clients may choose, and that have another meaning where code looks them up in a plain
 * object, or assigns to them.
 */
export const ODD_KEYS: readonly string[] = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  '__proto__',
];

/** An object with a member for each, `__proto__` included; JSON has them all. */
export function oddMap<T>(valueOf: (key: string) => T): Record<string, T> {
  return Object.fromEntries(ODD_KEYS.map((key) => [key, valueOf(key)]));
}

/** The members of a map in one order. A matcher for objects might pass over `__proto__`. */
export function membersOf(map: unknown): [string, unknown][] {
  return Object.entries(map as object).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Names that were written into the prototype of all objects. */
export function pollution(): string[] {
  return [Object.prototype, Function.prototype, Array.prototype].flatMap((one) =>
    Object.keys(one as object),
  );
}

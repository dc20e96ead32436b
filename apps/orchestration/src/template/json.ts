/** A value as JSON has it. Numbers of templates that no double holds are texts. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** What a map of a client's has at a key, never what every object of JavaScript has. */
export function ownOf<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

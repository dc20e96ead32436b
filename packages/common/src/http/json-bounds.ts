/**
 * Limits on JSON, checked on the text in one pass before parsing, so that the cost of a body is
 * proportional to its bytes. Pure.
 */
export interface JsonBounds {
  /** Members of one object. */
  readonly members?: number;
  /** Members and items in all. */
  readonly values?: number;
  /** Objects and lists in all. */
  readonly containers?: number;
  /** Items of one list. */
  readonly items?: number;
  /**
   * Distinct names and short strings, plus one per `BYTES_PER_TEXT`. The parser looks each up in a
   * table, which costs far more than its bytes.
   */
  readonly texts?: number;
  /**
   * Distinct names in objects of fewer than `LARGE` members, plus one per `BYTES_PER_TEXT`. V8
   * keeps a shape for each, which costs five times as much as the lookup; large objects have none.
   */
  readonly names?: number;
}

/** Enough for every API, except where a route says otherwise. */
export const JSON_BOUNDS: Required<JsonBounds> = {
  members: 1_000,
  values: 50_000,
  containers: 10_000,
  items: 5_000,
  texts: 1_500,
  names: 400,
};

/** Bytes that are parsed in the time of one name or short text, roughly. */
const BYTES_PER_TEXT = 256;

/** From this size on, V8 stores an object as a dictionary. */
const LARGE = 128;

/** Levels of objects and lists: more than any API needs, fewer than the stack allows. */
export const MAX_DEPTH = 100;

/** Up to this length, V8 interns the strings that it parses. */
const SHORT = 11;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @returns the excess as the end of a sentence; undefined if the text may be parsed */
export function excessOf(text: string, bounds: JsonBounds = {}): string | undefined {
  const { members, values, containers, items, ...few } = { ...JSON_BOUNDS, ...bounds };
  const further = Math.floor(text.length / BYTES_PER_TEXT);
  const [texts, names] = [few.texts + further, few.names + further];
  /** Commas so far in each open container; negative for lists. */
  let commas = -1;
  const around: number[] = [];
  let total = 1;
  let opened = 0;
  const known = new Set<string>();
  const named = new Set<string>();
  /** The last string; before a colon, it is a name. */
  let [from, to] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        [from, to] = [at, endOfString(text, at)];
        if (to - from <= SHORT) known.add(text.slice(from, to));
        if (known.size > texts) return tooManyTexts(texts);
        at = to;
        continue;
      case COLON:
        if (to - from > SHORT) known.add(text.slice(from, to));
        if (known.size > texts) return tooManyTexts(texts);
        if (commas < LARGE) named.add(text.slice(from, to));
        if (named.size > names)
          return `the body must not have more than ${names} different names outside of objects with ${LARGE} members or more`;
        continue;
      case COMMA:
        commas += commas < 0 ? -1 : 1;
        if (commas >= members)
          return `an object in the body must not have more than ${members} members`;
        if (-commas > items) return `a list in the body must not have more than ${items} items`;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        around.push(commas);
        commas = text.charCodeAt(at) === OPEN_LIST ? -1 : 0;
        if (around.length > MAX_DEPTH)
          return `the body must not be nested deeper than ${MAX_DEPTH} levels`;
        opened += 1;
        if (opened > containers)
          return `the body must not hold more than ${containers} objects and lists`;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        commas = around.pop() ?? -1;
        continue;
      default:
        continue;
    }
    total += 1;
    if (total > values) return `the body must not hold more than ${values} values`;
  }
  return undefined;
}

function tooManyTexts(most: number): string {
  return `the body must not have more than ${most} different names and short texts`;
}

/** @returns where the string that begins there ends; the text's end if it does not */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

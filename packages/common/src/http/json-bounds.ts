/**
 * How much JSON may hold, judged on its text in one pass before it is parsed: what a body costs
 * then follows from its bytes alone, whoever sent it. Pure.
 */
export interface JsonBounds {
  /** Members of one object. */
  readonly members?: number;
  /** Members and items in all. */
  readonly values?: number;
}

/** As no API needs more, but for routes that say so. */
export const JSON_BOUNDS: Required<JsonBounds> = { members: 1_000, values: 50_000 };

/** Levels of objects and lists: more than any API needs, fewer than the stack allows. */
export const MAX_DEPTH = 100;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @returns what is wrong, as the end of a sentence; undefined for what may be parsed */
export function excessOf(text: string, bounds: JsonBounds = {}): string | undefined {
  const { members = JSON_BOUNDS.members, values = JSON_BOUNDS.values } = bounds;
  /** Commas so far in what is open at a place, and in all that is around it; NaN of lists. */
  let commas = NaN;
  const around: number[] = [];
  let total = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        continue;
      case COMMA:
        commas += 1;
        if (commas >= members)
          return `an object in the body must not have more than ${members} members`;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        around.push(commas);
        commas = text.charCodeAt(at) === OPEN_LIST ? NaN : 0;
        if (around.length > MAX_DEPTH)
          return `the body must not be nested deeper than ${MAX_DEPTH} levels`;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        commas = around.pop() ?? NaN;
        continue;
      default:
        continue;
    }
    total += 1;
    if (total > values) return `the body must not hold more than ${values} values`;
  }
  return undefined;
}

/** @returns where the string that begins there ends; the text's end if it does not */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Whether a proxy may be given a regular expression. HAProxy compiles it by PCRE2 and matches with
 * it in the thread that serves everybody: one that does not compile, or takes for ever, is refused.
 * What takes a power of the subject's length (`.*.*x`) is bounded by PCRE2's own limit of tries.
 */
import {
  type Bytes,
  type Expression,
  ExpressionFault,
  parseExpression,
} from './expression-syntax.js';

/**
 * @param ignoresCase whether letters' case does not count, whatever the expression says
 * @returns why not; undefined if it may
 */
export function expressionFault(text: string, ignoresCase = false): string | undefined {
  try {
    const parsed = parseExpression(text);
    refuseAmbiguous(parsed.expression, ignoresCase || parsed.ignoresCase);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionFault)
      return `Unable to parse regular expression: ${error.message}`;
    throw error;
  }
}

/** Places of the expression at which a character is matched, and which may follow one another. */
interface Places {
  readonly bytes: Bytes[];
  /** How many ways there are from one to the next without another between them. */
  readonly follow: Map<number, number>[];
}

interface Part {
  /** Whether it can match nothing. */
  readonly nullable: boolean;
  /** A place for each way to begin, or to end, with it. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const MAX_PLACES = 400;
/** Ways from one to the next. */
const MAX_WAYS = 20_000;
/** Steps of the search: some milliseconds. */
const MAX_STEPS = 50_000;
/** Of what is matched so many times at most, each time is looked at by itself. */
const UNROLLED = 4;
/** The same of a single character. */
const UNROLLED_CHARACTERS = 64;

const NOTHING: Part = { nullable: true, first: [], last: [] };

/**
 * Refuses an expression that can match one text in a number of ways that doubles with every few
 * characters: a matcher that goes back and tries the next way, as PCRE2, then takes for ever. That is
 * so where a loop leads from a place back to it in two ways with the same text.
 * Public source: Weber and Seidl, "On the degree of ambiguity of finite automata" (1991).
 * @throws ExpressionFault with the reason
 */
function refuseAmbiguous(expression: Expression, ignoresCase: boolean): void {
  for (const one of [expression, ...looksOf(expression)]) {
    const places: Places = { bytes: [], follow: [] };
    partOf(one, places, ignoresCase);
    for (const loop of loopsOf(places.follow)) if (isAmbiguous(loop, places)) throw tooManyWays();
  }
}

function tooManyWays(): ExpressionFault {
  return new ExpressionFault('a repetition in it matches the same text in too many ways');
}

/** What is looked ahead for is matched by itself. */
function looksOf(one: Expression): Expression[] {
  switch (one.kind) {
    case 'look':
      return [one.of, ...looksOf(one.of)];
    case 'repeat':
      return looksOf(one.of);
    case 'sequence':
    case 'choice':
      return one.of.flatMap(looksOf);
    default:
      return [];
  }
}

function partOf(one: Expression, places: Places, ignoresCase: boolean): Part {
  const partFor = (of: Expression): Part => partOf(of, places, ignoresCase);
  switch (one.kind) {
    case 'bytes':
      return placeOf(ignoresCase ? folded(one.bytes) : one.bytes, places);
    case 'sequence':
      return one.of.map(partFor).reduce((left, right) => joined(left, right, places), NOTHING);
    case 'choice': {
      const parts = one.of.map(partFor);
      return {
        nullable: parts.some(({ nullable }) => nullable),
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
      };
    }
    case 'repeat':
      return repeated(one, places, partFor);
    default:
      return NOTHING;
  }
}

function placeOf(bytes: Bytes, places: Places): Part {
  if (places.bytes.length >= MAX_PLACES) throw new ExpressionFault('it is too long');
  const at = places.bytes.push(bytes) - 1;
  places.follow.push(new Map());
  return { nullable: false, first: [at], last: [at] };
}

function joined(left: Part, right: Part, { follow }: Places): Part {
  link(left.last, right.first, follow);
  return {
    nullable: left.nullable && right.nullable,
    first: left.nullable ? [...left.first, ...right.first] : left.first,
    last: right.nullable ? [...left.last, ...right.last] : right.last,
  };
}

function link(from: readonly number[], to: readonly number[], follow: Places['follow']): void {
  if (from.length * to.length > MAX_WAYS) throw tooManyWays();
  for (const one of from)
    for (const next of to) follow[one]?.set(next, (follow[one].get(next) ?? 0) + 1);
}

function repeated(
  { of, min, max }: Extract<Expression, { kind: 'repeat' }>,
  places: Places,
  partFor: (of: Expression) => Part,
): Part {
  if (max === 0) return NOTHING;
  const isCharacter = of.kind === 'bytes';
  if (max <= (isCharacter ? UNROLLED_CHARACTERS : UNROLLED)) {
    const parts = Array.from({ length: max }, () => partFor(of));
    refuseNothing(parts[0], max);
    // a{1,3} is a(a(a)?)?
    return parts.reduceRight<Part>((rest, part, at) => {
      const whole = joined(part, rest, places);
      return at < min ? whole : { ...whole, nullable: true };
    }, NOTHING);
  }
  const part = partFor(of);
  refuseNothing(part, max);
  link(part.last, part.first, places.follow);
  return { ...part, nullable: part.nullable || min === 0 };
}

/** Nothing, any number of times, is matched in as many ways. */
function refuseNothing(part: Part | undefined, max: number): void {
  if (max > 1 && part?.nullable === true && part.first.length > 0)
    throw new ExpressionFault('it repeats what can match nothing');
}

/**
 * The places that lead back to themselves, together with those that they lead to and back: strongly
 * connected components, as Tarjan finds them.
 */
function loopsOf(follow: Places['follow']): ReadonlySet<number>[] {
  const found: Set<number>[] = [];
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const visit = (at: number): void => {
    order.set(at, order.size);
    low.set(at, order.get(at) ?? 0);
    open.push(at);
    isOpen.add(at);
    for (const next of follow[at]?.keys() ?? []) {
      if (!order.has(next)) visit(next);
      const earliest = isOpen.has(next) ? (low.get(next) ?? 0) : Infinity;
      low.set(at, Math.min(low.get(at) ?? 0, earliest));
    }
    if (low.get(at) !== order.get(at)) return;
    const loop = new Set(open.splice(open.indexOf(at)));
    for (const one of loop) isOpen.delete(one);
    if (loop.size > 1 || follow[at]?.has(at) === true) found.push(loop);
  };
  for (const at of follow.keys()) if (!order.has(at)) visit(at);
  return found;
}

/** Whether two walks in the loop with the same text part and meet again. */
function isAmbiguous(loop: ReadonlySet<number>, { bytes, follow }: Places): boolean {
  const width = bytes.length;
  const next = new Map(
    [...loop].map((at) => [at, [...(follow[at] ?? [])].filter(([to]) => loop.has(to))]),
  );
  if ([...next.values()].flat().some(([, ways]) => ways > 1)) return true;
  const backwards = new Map<number, number[]>();
  const pairs = [...loop].map((at) => at * width + at);
  const seen = new Set(pairs);
  let steps = 0;
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = [Math.floor(pair / width), pair % width];
    for (const [to] of next.get(one) ?? []) {
      for (const [otherTo] of next.get(other) ?? []) {
        if ((steps += 1) > MAX_STEPS) throw tooManyWays();
        if (((bytes[to] ?? 0n) & (bytes[otherTo] ?? 0n)) === 0n) continue;
        const target = to * width + otherTo;
        add(backwards, target, pair);
        if (seen.has(target)) continue;
        seen.add(target);
        pairs.push(target);
      }
    }
  }
  return meetsAgain(loop, width, backwards);
}

/** Whether walks that have parted reach one place: all that `backwards` holds has been reached. */
function meetsAgain(
  loop: ReadonlySet<number>,
  width: number,
  backwards: ReadonlyMap<number, readonly number[]>,
): boolean {
  const todo = [...loop].map((at) => at * width + at);
  const seen = new Set(todo);
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    for (const before of backwards.get(pair) ?? []) {
      if (Math.floor(before / width) !== before % width) return true;
      if (seen.has(before)) continue;
      seen.add(before);
      todo.push(before);
    }
  }
  return false;
}

function add(map: Map<number, number[]>, key: number, value: number): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

const UPPER_A = 65n;
const LETTERS = (1n << 26n) - 1n;
const CASE = 32n;

/** Both cases of every letter. */
function folded(bytes: Bytes): Bytes {
  const upper = (bytes >> UPPER_A) & LETTERS;
  const lower = (bytes >> (UPPER_A + CASE)) & LETTERS;
  const both = upper | lower;
  return bytes | (both << UPPER_A) | (both << (UPPER_A + CASE));
}

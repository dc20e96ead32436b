/**
 * Operators of conditions. Pure. Public source: IAM user guide, "IAM JSON policy elements:
 * Condition operators".
 */
import { cidrAround, contains, parseIp, type Cidr } from '@cumulet/common/addresses/ip-address';
import { isLike, partsOf, plainText, type Pattern, type Variables } from './pattern.js';

export interface ConditionOperator {
  readonly name: string;
  /** Whether it holds when nothing matches, and so also when there is no value. */
  readonly isNegated: boolean;
  /** @returns the expected form of a value that does not have it */
  readonly expected?: (value: string) => string | undefined;
  /** @param fact a value that the request has for the key */
  readonly matches: (fact: string, value: Pattern, variables: Variables) => boolean;
}

type Matcher = ConditionOperator['matches'];

function equal(fold: (text: string) => string): Matcher {
  return (fact, value, variables) => {
    const text = plainText(value, variables);
    return text !== undefined && fold(fact) === fold(text);
  };
}

/** Values that are not numbers never match. */
function ordered(
  numberOf: (text: string) => number,
  holds: (fact: number, value: number) => boolean,
): Matcher {
  return (fact, { text }) => {
    const [a, b] = [numberOf(fact), numberOf(text)];
    return Number.isFinite(a) && Number.isFinite(b) && holds(a, b);
  };
}

const asNumber = (text: string): number => (text.trim() === '' ? NaN : Number(text));

/** Seconds since the epoch, or a moment in ISO 8601. */
const asMoment = (text: string): number =>
  /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);

/** The parts of an ARN are compared one by one. */
const likeArn: Matcher = (fact, value, variables) => {
  const facts = fact.split(':');
  const given = [...facts.slice(0, 5), facts.slice(5).join(':')];
  const parts = partsOf(value, ':', 6);
  return (
    parts.length === given.length &&
    parts.every((part, at) => isLike(part, given[at] ?? '', variables))
  );
};

const within: Matcher = (fact, { text }) => {
  const range = networkOf(text);
  const address = parseIp(fact);
  return range !== undefined && address !== undefined && contains(range, address);
};

/** @param text a range, or one address; bits beyond a prefix do not count */
export function networkOf(text: string): Cidr | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const ip = parseIp(address);
  if (!ip || more.length > 0) return undefined;
  const max = ip.version === 4 ? 32 : 128;
  const prefix = bits === undefined ? max : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  return prefix <= max ? cidrAround(ip, prefix) : undefined;
}

function numeric(text: string): string | undefined {
  return Number.isFinite(asNumber(text)) ? undefined : 'a number';
}
function moment(text: string): string | undefined {
  return Number.isFinite(asMoment(text)) ? undefined : 'a date';
}
function flag(text: string): string | undefined {
  return ['true', 'false'].includes(text.toLowerCase()) ? undefined : 'true or false';
}
function network(text: string): string | undefined {
  return networkOf(text) ? undefined : 'a range of IP addresses';
}

const lower = (text: string): string => text.toLowerCase();

interface Pair {
  readonly matches: Matcher;
  readonly expected?: (value: string) => string | undefined;
}

/** Each under the names that hold when something matches, and when nothing does. */
const BOTH: readonly (readonly [name: string, negated: string | undefined, pair: Pair])[] = [
  ['StringEquals', 'StringNotEquals', { matches: equal((text) => text) }],
  ['StringEqualsIgnoreCase', 'StringNotEqualsIgnoreCase', { matches: equal(lower) }],
  ['StringLike', 'StringNotLike', { matches: (fact, value, of) => isLike(value, fact, of) }],
  ['ArnEquals', 'ArnNotEquals', { matches: likeArn }],
  ['ArnLike', 'ArnNotLike', { matches: likeArn }],
  ['IpAddress', 'NotIpAddress', { matches: within, expected: network }],
  ['Bool', undefined, { matches: equal(lower), expected: flag }],
  ['BinaryEquals', undefined, { matches: equal((text) => text) }],
  ...orderedPairs('Numeric', asNumber, numeric),
  ...orderedPairs('Date', asMoment, moment),
];

function orderedPairs(
  prefix: string,
  numberOf: (text: string) => number,
  expected: (value: string) => string | undefined,
): [string, string | undefined, Pair][] {
  const pair = (holds: (fact: number, value: number) => boolean): Pair => ({
    matches: ordered(numberOf, holds),
    expected,
  });
  return [
    [`${prefix}Equals`, `${prefix}NotEquals`, pair((a, b) => a === b)],
    [`${prefix}LessThan`, undefined, pair((a, b) => a < b)],
    [`${prefix}LessThanEquals`, undefined, pair((a, b) => a <= b)],
    [`${prefix}GreaterThan`, undefined, pair((a, b) => a > b)],
    [`${prefix}GreaterThanEquals`, undefined, pair((a, b) => a >= b)],
  ];
}

/** Tests whether a key has a value; evaluated separately. */
export const NULL = 'Null';

export const CONDITION_OPERATORS: ReadonlyMap<string, ConditionOperator> = new Map(
  [
    ...BOTH.flatMap(([name, negated, pair]) => [
      { name, isNegated: false, ...pair },
      ...(negated === undefined ? [] : [{ name: negated, isNegated: true, ...pair }]),
    ]),
    { name: NULL, isNegated: false, matches: () => false, expected: flag },
  ].map((operator) => [operator.name, operator]),
);

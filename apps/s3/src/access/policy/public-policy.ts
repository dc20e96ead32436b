/**
 * Whether a policy lets the public in. Pure. Public source: Amazon S3 user guide, "The meaning of
 * public".
 */
import { networkOf } from './condition-operators.js';
import type { Condition, Policy, Statement } from './policy.js';

/** Keys that narrow a statement if their values are fixed. */
const NARROWING = new Set([
  'aws:principalaccount',
  'aws:principalarn',
  'aws:principalorgid',
  'aws:principalorgpaths',
  'aws:sourcearn',
  'aws:sourceaccount',
  'aws:sourceorgid',
  'aws:sourcevpc',
  'aws:sourcevpce',
  'aws:userid',
  'aws:username',
  's3:dataaccesspointarn',
  's3:dataaccesspointaccount',
  's3:x-amz-server-side-encryption-aws-kms-key-id',
]);

/** Larger networks count as public. */
const MIN_PREFIX = { 4: 8, 6: 32 } as const;
/** Operators that only match the listed values. */
const FIXING = new Set([
  'StringEquals',
  'StringEqualsIgnoreCase',
  'StringLike',
  'ArnEquals',
  'ArnLike',
]);

export function isPublicPolicy({ statements }: Policy): boolean {
  return statements.some(isPublic);
}

function isPublic({ effect, principals, conditions }: Statement): boolean {
  if (effect !== 'Allow' || !principals.items.some(({ kind }) => kind === 'everybody'))
    return false;
  return !conditions.some(isNarrowing);
}

function isNarrowing({ operator, key, values, ifExists, quantifier }: Condition): boolean {
  // They also hold for requests without a value.
  if (ifExists || quantifier === 'ForAllValues') return false;
  if (key === 'aws:sourceip')
    return operator.name === 'IpAddress' && values.every(({ text }) => isNarrow(text));
  const isFixed = values.every(({ text, hasVariables }) => !hasVariables && !/[*?]/.test(text));
  return NARROWING.has(key) && FIXING.has(operator.name) && isFixed;
}

function isNarrow(text: string): boolean {
  const network = networkOf(text);
  return network !== undefined && network.prefix >= MIN_PREFIX[network.version];
}

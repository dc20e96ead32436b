/**
 * A form's policy: the uploads that its signer permits. Pure. Public source: Amazon S3 API
 * reference, "Creating a POST policy".
 */
import { S3Error } from '../../http/s3-error.js';

/** By lower-case name. */
export type FormFields = ReadonlyMap<string, string>;

export interface SizeLimits {
  /** Bytes of the file. */
  readonly min: number;
  readonly max: number;
}

interface Policy {
  readonly expiration: number;
  readonly conditions: readonly Condition[];
}

interface Condition {
  readonly name: string;
  readonly kind: 'eq' | 'starts-with' | 'content-length-range';
  readonly value: string;
  readonly limits?: SizeLimits;
}

const EXPIRATION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
/** Fields that need no condition. */
const FREE = new Set([
  'awsaccesskeyid',
  'bucket',
  'file',
  'policy',
  'signature',
  'x-amz-signature',
]);
/** Prefixes of such fields. A checksum can only refuse what the policy allows. */
const FREE_KINDS = ['x-ignore-', 'x-amz-checksum-'];

/**
 * @param encoded the form's field `policy`, in base64
 * @param fields of the form, with `bucket` as the request names it
 * @returns what the policy says of the file's size
 * @throws S3Error InvalidPolicyDocument for what is no policy, AccessDenied where it does not allow
 * the form
 */
export function checkPolicy(encoded: string, fields: FormFields, now = Date.now()): SizeLimits {
  const { expiration, conditions } = policyIn(encoded);
  if (expiration < now) throw denied('Policy expired.');
  for (const condition of conditions) if (!holds(condition, fields)) throw refused(condition);
  const named = new Set(conditions.map(({ name }) => name));
  for (const name of fields.keys())
    if (!named.has(name) && !isFree(name)) throw denied(`Extra input fields: ${name}`);
  const limits = conditions.flatMap((one) => one.limits ?? []);
  return {
    min: Math.max(0, ...limits.map(({ min }) => min)),
    max: Math.min(Number.MAX_SAFE_INTEGER, ...limits.map(({ max }) => max)),
  };
}

function policyIn(encoded: string): Policy {
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(encoded, 'base64').toString());
  } catch {
    throw malformed('it is not valid JSON');
  }
  if (typeof document !== 'object' || document === null) throw malformed('it is not an object');
  const { expiration, conditions } = document as Readonly<Record<string, unknown>>;
  if (typeof expiration !== 'string' || !EXPIRATION.test(expiration))
    throw malformed('its expiration is not a valid time');
  if (!Array.isArray(conditions)) throw malformed('it has no list of conditions');
  return { expiration: Date.parse(expiration), conditions: conditions.flatMap(conditionsIn) };
}

function conditionsIn(item: unknown): Condition[] {
  if (Array.isArray(item)) return [listedCondition(item)];
  if (typeof item !== 'object' || item === null)
    throw malformed('a condition is neither an object nor a list');
  const entries = Object.entries(item);
  if (entries.length === 0) throw malformed('a condition is empty');
  return entries.map(([name, value]) => {
    if (typeof value !== 'string') throw malformed(`the value of ${name} is not a string`);
    return { name: name.toLowerCase(), kind: 'eq', value };
  });
}

function listedCondition(item: readonly unknown[]): Condition {
  const [given, ...values] = item;
  const kind = typeof given === 'string' ? given.toLowerCase() : undefined;
  if (values.length !== 2) throw malformed('a condition does not have three elements');
  if (kind === 'content-length-range') {
    const [min, max] = values.map(sizeIn);
    return { name: kind, kind, value: '', limits: { min: min ?? 0, max: max ?? 0 } };
  }
  const [name, value] = values;
  if (
    (kind !== 'eq' && kind !== 'starts-with') ||
    typeof name !== 'string' ||
    !name.startsWith('$')
  )
    throw malformed('a condition is neither eq, starts-with nor content-length-range');
  if (typeof value !== 'string') throw malformed(`the value of ${name} is not a string`);
  return { name: name.slice(1).toLowerCase(), kind, value };
}

function sizeIn(value: unknown): number {
  const size = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) return size;
  throw malformed('a content-length-range is not of two numbers of bytes');
}

function holds({ kind, name, value }: Condition, fields: FormFields): boolean {
  if (kind === 'content-length-range') return true;
  const given = fields.get(name);
  if (given === undefined) return false;
  if (kind === 'eq') return given === value;
  // A field may list several content types, each of which has to match.
  const parts = name === 'content-type' ? given.split(',') : [given];
  return parts.every((part) => part.startsWith(value));
}

function isFree(name: string): boolean {
  return FREE.has(name) || FREE_KINDS.some((kind) => name.startsWith(kind));
}

function refused({ kind, name, value }: Condition): S3Error {
  return denied(`Policy Condition failed: ["${kind}", "$${name}", "${value}"]`);
}

function denied(reason: string): S3Error {
  return new S3Error('AccessDenied', {
    message: `Invalid according to Policy: ${reason}`,
  });
}

function malformed(why: string): S3Error {
  return new S3Error('InvalidPolicyDocument', { message: `Invalid Policy: ${why}.` });
}

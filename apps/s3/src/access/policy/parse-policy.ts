/**
 * Reads a policy document. Pure. Public sources: IAM user guide, "Grammar of the IAM JSON policy
 * language"; Amazon S3 API reference, PutBucketPolicy.
 */
import { LRUCache } from 'lru-cache';
import type { Bucket } from '../../buckets/bucket.entity.js';
import { CONDITION_OPERATORS } from './condition-operators.js';
import { canonicalKey, isKnownKey } from './facts.js';
import { partsOf, patternOf, type Pattern } from './pattern.js';
import {
  isObject,
  listOf,
  malformedPolicy,
  requireFields,
  textOf,
  uniqueJson,
} from './policy-json.js';
import {
  principalOf,
  type Condition,
  type Listed,
  type Policy,
  type PrincipalPattern,
  type ResourcePattern,
  type Statement,
} from './policy.js';

type Json = Readonly<Record<string, unknown>>;

const NEW = '2012-10-17';
const VERSIONS: readonly unknown[] = [NEW, '2008-10-17'];
const POLICY_FIELDS = ['Version', 'Id', 'Statement'];
const STATEMENT_FIELDS = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
];

/**
 * @param text as its client sent it
 * @throws S3Error MalformedPolicy, which says what is wrong
 */
export function parsePolicy(text: string): Policy {
  const json = uniqueJson(text);
  requireFields(json, POLICY_FIELDS);
  const { Version: version = '2008-10-17', Id: id = '', Statement: statements } = json;
  if (!VERSIONS.includes(version))
    throw malformedPolicy(`The policy must contain a valid version string: ${String(version)}`);
  textOf(id, 'Id');
  if (statements === undefined) throw malformedPolicy('Missing required field Statement');
  const list = Array.isArray(statements) ? (statements as unknown[]) : [statements];
  if (list.length === 0) throw malformedPolicy('Could not parse the policy: Statement is empty!');
  const sids = new Set<string>();
  return { statements: list.map((one) => statementOf(one, version === NEW, sids)) };
}

function statementOf(json: unknown, takesVariables: boolean, sids: Set<string>): Statement {
  if (!isObject(json)) throw malformedPolicy('A statement must be an object');
  requireFields(json, STATEMENT_FIELDS);
  const { Effect: effect, Sid: sid } = json;
  if (effect !== 'Allow' && effect !== 'Deny')
    throw malformedPolicy(`Invalid effect: ${String(effect)}`);
  if (sid !== undefined && sid !== '') requireUniqueSid(textOf(sid, 'Sid'), sids);
  const principals = listed(json, 'Principal', principalsOf);
  if (effect === 'Allow' && principals.isNegated)
    throw malformedPolicy('Allow with NotPrincipal is not allowed');
  const pattern = (text: string): Pattern => patternOf(text, takesVariables);
  return {
    effect,
    principals,
    actions: listed(json, 'Action', (value) =>
      listOf(value, 'Action').map((action) => patternOf(action.toLowerCase(), false)),
    ),
    resources: listed(json, 'Resource', (value) =>
      listOf(value, 'Resource').map((resource) => resourceOf(pattern(resource))),
    ),
    conditions: conditionsOf(json['Condition'], pattern),
  };
}

function requireUniqueSid(sid: string, sids: Set<string>): void {
  if (sids.has(sid))
    throw malformedPolicy(`Statement IDs (SID) in a single policy must be unique: ${sid}`);
  sids.add(sid);
}

/** Exactly one of the field and its negation. */
function listed<T>(json: Json, field: string, read: (value: unknown) => readonly T[]): Listed<T> {
  const [plain, negated] = [json[field], json[`Not${field}`]];
  if (plain !== undefined && negated !== undefined)
    throw malformedPolicy(`A statement has either ${field} or Not${field}`);
  if (plain === undefined && negated === undefined)
    throw malformedPolicy(`Missing required field ${field}`);
  return { items: read(plain ?? negated), isNegated: plain === undefined };
}

function principalsOf(value: unknown): PrincipalPattern[] {
  if (value === '*') return [{ kind: 'everybody' }];
  if (!isObject(value) || Object.keys(value).length === 0)
    throw malformedPolicy('Invalid policy syntax: Principal is "*" or an object');
  return Object.entries(value).flatMap(([kind, texts]) =>
    listOf(texts, 'Principal').map((text) => {
      const principal = principalOf(kind, text);
      if (principal) return principal;
      throw malformedPolicy(`Invalid principal in policy: ${kind} ${text}`);
    }),
  );
}

function resourceOf(pattern: Pattern): ResourcePattern {
  if (pattern.text === '*') return { account: patternOf('*', false), path: pattern };
  const [arn, partition, service, , account, path] = partsOf(pattern, ':', 6);
  const isOfS3 = arn?.text === 'arn' && /^(?:aws[\w-]*|\*)$/.test(partition?.text ?? '');
  if (!isOfS3 || service?.text !== 's3' || !account || !path || path.text === '')
    throw malformedPolicy(`Policy has invalid resource: ${pattern.text}`);
  return { account, path };
}

function conditionsOf(json: unknown, pattern: (text: string) => Pattern): Condition[] {
  if (json === undefined) return [];
  if (!isObject(json)) throw malformedPolicy('Condition must be an object');
  return Object.entries(json).flatMap(([name, keys]) => {
    if (!isObject(keys)) throw malformedPolicy(`The condition ${name} must be an object of keys`);
    return Object.entries(keys).map(([key, values]) => conditionOf(name, key, values, pattern));
  });
}

const NAME = /^(?:(ForAllValues|ForAnyValue):)?([A-Za-z]+?)(IfExists)?$/;

function conditionOf(
  name: string,
  spelt: string,
  given: unknown,
  pattern: (text: string) => Pattern,
): Condition {
  const [, quantifier, plain = '', ifExists] = NAME.exec(name) ?? [];
  const operator = CONDITION_OPERATORS.get(plain);
  if (!operator || (plain === 'Null' && (ifExists ?? quantifier) !== undefined))
    throw malformedPolicy(`Invalid Condition type : ${name}`);
  const key = canonicalKey(spelt);
  if (!isKnownKey(key)) throw malformedPolicy(`Policy has an invalid condition key: ${spelt}`);
  const texts = valuesOf(given, spelt);
  for (const text of texts) {
    const expected = operator.expected?.(text);
    if (expected !== undefined)
      throw malformedPolicy(
        `The value ${text} of the condition ${name} on ${spelt} must be ${expected}`,
      );
  }
  return {
    operator,
    quantifier: quantifier as Condition['quantifier'],
    ifExists: ifExists !== undefined,
    key,
    values: texts.map(pattern),
  };
}

function valuesOf(given: unknown, key: string): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return list.map((value) => {
    if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
    throw malformedPolicy(`The values of the condition key ${key} must be strings`);
  });
}

const parsed = new LRUCache<string, Policy>({ max: 256 });

/** The policy of a bucket, parsed once for as long as it is in use; undefined if it has none. */
export function policyOf({ configurations }: Pick<Bucket, 'configurations'>): Policy | undefined {
  const text = configurations.policy;
  if (text === undefined) return undefined;
  const policy = parsed.get(text) ?? parsePolicy(text);
  parsed.set(text, policy);
  return policy;
}

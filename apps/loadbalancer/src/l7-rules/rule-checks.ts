/**
 * Which comparisons, keys and values go with a type of rule. Pure.
 * Public source: octavia, `common/validate.py`, `l7rule_data`; RFC 7230, RFC 6265.
 */
import { errorOf, conflict } from '@cumulet/common/errors/domain-error';
import { COMPARE_TYPES, type CompareType, type RuleType } from '../data-plane/balancer-spec.js';
import type { L7Rule } from '../tree/l7-rule.resource.js';
import { expressionFault } from './regular-expression.js';

/** Public source: octavia, `common/exceptions.py`. */
class L7RuleValidationError extends errorOf(
  'invalid',
  (reason: string) => `Error parsing L7Rule: ${reason}`,
) {}

/** Public source: octavia, `common/exceptions.py`. */
export class TooManyL7RulesOnL7PolicyError extends conflict(
  (id: string) => `Too many rules on L7 policy ${id}`,
) {}

/** The name of a header or a cookie. */
const TOKEN = /^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/;
const COOKIE_VALUE = /^[a-zA-Z0-9!#$%&'()*+./:<=>?@[\]^_`{|}~-]+$/;
const HEADER_VALUE = /^[\x21-\x7e]+$/;
const QUOTED_HEADER_VALUE = /^"[\x20-\x7e]*"$/;
const DISTINGUISHED_NAME_FIELD = /^[a-zA-Z][A-Za-z0-9-]*$/;

interface TypeOfRule {
  /** What its key looks like; null where it has none. */
  readonly key: RegExp | null;
  readonly compares: readonly CompareType[];
  /** Why a value will not do, but for a regular expression. */
  readonly valueFault: (value: string) => string | undefined;
}

const ofHeader = (value: string): string | undefined =>
  HEADER_VALUE.test(value) || QUOTED_HEADER_VALUE.test(value)
    ? undefined
    : 'Invalid characters in comparison value';

const ofCookie = (value: string): string | undefined =>
  COOKIE_VALUE.test(value) ? undefined : 'Invalid characters in cookie value';

const ofName = (value: string): string | undefined =>
  /^[\x20-\x7e]+$/.test(value) ? undefined : 'Invalid characters in comparison value';

/** OpenSSL's results of a verification are small numbers. */
const ofResult = (value: string): string | undefined =>
  /^\d{1,5}$/.test(value)
    ? undefined
    : 'L7rule type SSL_VERIFY_RESULT needs a int value, which is >= 0';

const ofTruth = (value: string): string | undefined =>
  value.toLowerCase() === 'true'
    ? undefined
    : `L7rule value ${value} is not a boolean True string.`;

const TYPES: Readonly<Record<RuleType, TypeOfRule>> = {
  HOST_NAME: { key: null, compares: COMPARE_TYPES, valueFault: ofHeader },
  PATH: { key: null, compares: COMPARE_TYPES, valueFault: ofHeader },
  FILE_TYPE: { key: null, compares: ['REGEX', 'EQUAL_TO'], valueFault: ofHeader },
  HEADER: { key: TOKEN, compares: COMPARE_TYPES, valueFault: ofHeader },
  COOKIE: { key: TOKEN, compares: COMPARE_TYPES, valueFault: ofCookie },
  SSL_CONN_HAS_CERT: { key: null, compares: ['EQUAL_TO'], valueFault: ofTruth },
  SSL_VERIFY_RESULT: { key: null, compares: ['EQUAL_TO'], valueFault: ofResult },
  SSL_DN_FIELD: { key: DISTINGUISHED_NAME_FIELD, compares: COMPARE_TYPES, valueFault: ofName },
};

/** Types that look into TLS, which only a listener that ends it sees. */
const KEYLESS_SSL: readonly string[] = ['SSL_CONN_HAS_CERT', 'SSL_VERIFY_RESULT'];

/** @throws L7RuleValidationError naming what does not go */
export function requireRule({
  type,
  compareType,
  key,
  value,
}: Pick<L7Rule, 'type' | 'compareType' | 'key' | 'value'>): void {
  const fault = faultOf(type, compareType, key, value);
  if (fault !== undefined) throw new L7RuleValidationError(fault);
}

function faultOf(
  type: RuleType,
  compare: CompareType,
  key: string | null,
  value: string,
): string | undefined {
  const rules = TYPES[type];
  if (value === '') return invalid('L7 rule type requires a value');
  if (rules.key === null) {
    if (key !== null && key !== '' && KEYLESS_SSL.includes(type))
      return invalid(`L7rule type ${type} does not use the "key" field.`);
  } else {
    if (key === null || key === '') return invalid(`L7 rule type ${type} requires a key`);
    if (!rules.key.test(key)) return 'Invalid characters in key';
  }
  if (!rules.compares.includes(compare)) {
    return invalid(
      `L7rule type ${type} only supports the compare types ${rules.compares.join(', ')}.`,
    );
  }
  // Hosts have no case.
  if (compare === 'REGEX') return expressionFault(value, type === 'HOST_NAME');
  return rules.valueFault(value);
}

function invalid(reason: string): string {
  return `Invalid L7 Rule: ${reason}`;
}

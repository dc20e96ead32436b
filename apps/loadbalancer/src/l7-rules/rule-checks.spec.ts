import { describe, expect, it } from '@jest/globals';
import { type CompareType, RULE_TYPES, type RuleType } from '../data-plane/balancer-spec.js';
import { requireRule } from './rule-checks.js';

const rule = (
  type: RuleType,
  compareType: CompareType,
  value: string,
  key: string | null = null,
) => ({
  type,
  compareType,
  value,
  key,
});

it('knows all types of the API reference', () => {
  expect([...RULE_TYPES].sort()).toEqual([
    'COOKIE',
    'FILE_TYPE',
    'HEADER',
    'HOST_NAME',
    'PATH',
    'SSL_CONN_HAS_CERT',
    'SSL_DN_FIELD',
    'SSL_VERIFY_RESULT',
  ]);
});

describe('accepts', () => {
  it.each([
    ['HOST_NAME', 'EQUAL_TO', 'www.example.com', null],
    ['HOST_NAME', 'REGEX', '^(www|m)\\.example\\.com$', null],
    ['PATH', 'STARTS_WITH', '/api', null],
    ['PATH', 'STARTS_WITH', '/api', ''],
    ['FILE_TYPE', 'EQUAL_TO', 'jpg', null],
    ['FILE_TYPE', 'REGEX', 'jpe?g', null],
    ['HEADER', 'CONTAINS', 'a#b', 'X-Tenant'],
    ['HEADER', 'EQUAL_TO', '"a b"', 'X-Tenant'],
    ['COOKIE', 'ENDS_WITH', 'a=b', 'session'],
    ['SSL_CONN_HAS_CERT', 'EQUAL_TO', 'True', null],
    ['SSL_VERIFY_RESULT', 'EQUAL_TO', '0', null],
    ['SSL_DN_FIELD', 'EQUAL_TO', 'Some Company, Inc.', 'O'],
  ] as const)('%s %s %s (%s)', (type, compare, value, key) => {
    expect(() => requireRule(rule(type, compare, value, key))).not.toThrow();
  });
});

describe('refuses', () => {
  it.each([
    [
      'PATH',
      'EQUAL_TO',
      '',
      null,
      'Error parsing L7Rule: Invalid L7 Rule: L7 rule type requires a value',
    ],
    ['PATH', 'EQUAL_TO', '/a b', null, 'Invalid characters in comparison value'],
    ['PATH', 'EQUAL_TO', '/a\nbind :1', null, 'Invalid characters in comparison value'],
    ['PATH', 'REGEX', '(', null, 'Unable to parse regular expression'],
    ['PATH', 'REGEX', '(a+)+$', null, 'too many ways'],
    ['HOST_NAME', 'REGEX', '(a|A)+x', null, 'too many ways'],
    ['FILE_TYPE', 'CONTAINS', 'jpg', null, 'only supports the compare types REGEX, EQUAL_TO'],
    ['HEADER', 'EQUAL_TO', 'a', null, 'requires a key'],
    ['HEADER', 'EQUAL_TO', 'a', 'X Tenant', 'Invalid characters in key'],
    ['HEADER', 'EQUAL_TO', 'a', 'X"', 'Invalid characters in key'],
    ['HEADER', 'EQUAL_TO', 'a\r\nb', 'X', 'Invalid characters in comparison value'],
    ['HEADER', 'EQUAL_TO', '"a\tb"', 'X', 'Invalid characters in comparison value'],
    ['PATH', 'REGEX', 'a\tb', null, 'Unable to parse regular expression'],
    ['PATH', 'REGEX', 'a\nb', null, 'Unable to parse regular expression'],
    ['COOKIE', 'EQUAL_TO', 'a;b', 'session', 'Invalid characters in cookie value'],
    ['COOKIE', 'EQUAL_TO', 'a"b', 'session', 'Invalid characters in cookie value'],
    ['SSL_CONN_HAS_CERT', 'EQUAL_TO', 'true', 'x', 'does not use the "key" field'],
    ['SSL_CONN_HAS_CERT', 'EQUAL_TO', 'false', null, 'is not a boolean True string'],
    ['SSL_CONN_HAS_CERT', 'REGEX', 'true', null, 'only supports the compare types EQUAL_TO'],
    ['SSL_VERIFY_RESULT', 'EQUAL_TO', '-1', null, 'needs a int value'],
    ['SSL_DN_FIELD', 'EQUAL_TO', 'a', null, 'requires a key'],
    ['SSL_DN_FIELD', 'EQUAL_TO', 'a', 'C=N', 'Invalid characters in key'],
    ['SSL_DN_FIELD', 'EQUAL_TO', 'a\tb', 'CN', 'Invalid characters in comparison value'],
  ] as const)('%s %s %j (%j)', (type, compare, value, key, message) => {
    expect(() => requireRule(rule(type, compare, value, key))).toThrow(message);
  });
});

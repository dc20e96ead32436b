import { describe, expect, it } from '@jest/globals';
import { parsePolicy } from './parse-policy.js';
import { requireScope } from './policy.operations.js';
import { isPublicPolicy } from './public-policy.js';

const STATEMENT = {
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::b/*',
};

function textOf(change: object, policy: object = {}): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ ...STATEMENT, ...change }],
    ...policy,
  });
}

function read(text: string): void {
  requireScope(parsePolicy(text), 'b');
}

function without(field: string): object {
  return { [field]: undefined };
}

const READABLE: [string, string][] = [
  ['a single statement outside a list', JSON.stringify({ Statement: STATEMENT })],
  ['an id and a sid', textOf({ Sid: 'one' }, { Id: 'policy' })],
  ['leading white space', ` \n${textOf({})}`],
  ['field names in values', textOf({ Sid: '"Effect": "Deny", {' })],
  ['a principal that matches nobody', textOf({ Principal: { Service: 's.example' } })],
  [
    'a key that never has a value',
    textOf({ Condition: { Bool: { 'aws:ViaAWSService': 'true' } } }),
  ],
];

const UNREADABLE: [string, string, string][] = [
  ['nothing', '', 'first byte'],
  ['a list', '[]', 'first byte'],
  ['a truncated document', '{"Statement":', 'invalid Json'],
  ['a repeated name', '{"Version":"2012-10-17","Version":"2008-10-17"}', 'Version twice'],
  [
    'a repeated condition operator',
    textOf({ Condition: 1 }).replace('1}', '{"Bool":{"a":1},"B\\u006fol":{"b":2}}}'),
    'Bool twice',
  ],
  ['no statement', '{"Version":"2012-10-17"}', 'Missing required field Statement'],
  ['an empty list of statements', textOf({}, { Statement: [] }), 'Statement is empty'],
  ['a string as a statement', textOf({}, { Statement: ['a'] }), 'must be an object'],
  ['an unknown version', textOf({}, { Version: '2020-01-01' }), '2020-01-01'],
  ['an unknown field', textOf({}, { Statements: [] }), 'Unknown field Statements'],
  ['an unknown field of a statement', textOf({ Actions: [] }), 'Unknown field Actions'],
  ['an unknown effect', textOf({ Effect: 'allow' }), 'Invalid effect: allow'],
  ['no principal', textOf(without('Principal')), 'Missing required field Principal'],
  ['no action', textOf(without('Action')), 'Missing required field Action'],
  ['no resource', textOf(without('Resource')), 'Missing required field Resource'],
  ['an empty list of actions', textOf({ Action: [] }), 'Action must not be empty'],
  [
    'both a field and its negation',
    textOf({ NotAction: 's3:PutObject' }),
    'either Action or NotAction',
  ],
  ['an action as a number', textOf({ Action: 1 }), 'Action must be a string'],
  ['an unknown action', textOf({ Action: 's3:GetObjects' }), 's3:getobjects'],
  ['an action of another service', textOf({ Action: 'iam:PassRole' }), 'iam:passrole'],
  [
    'everybody except one',
    textOf({ ...without('Principal'), NotPrincipal: { AWS: 'arn:aws:iam::p:root' } }),
    'Allow with NotPrincipal',
  ],
  ['a principal as a string', textOf({ Principal: 'p' }), 'Principal'],
  ['a principal of an unknown kind', textOf({ Principal: { Aws: '*' } }), 'Invalid principal'],
  [
    'a pattern as a principal',
    textOf({ Principal: { AWS: 'arn:aws:iam::p:user/a*' } }),
    'Invalid principal',
  ],
  ['another bucket', textOf({ Resource: 'arn:aws:s3:::c/*' }), 'invalid resource'],
  ['an invalid resource', textOf({ Resource: 'b/*' }), 'invalid resource'],
  ['a resource of another service', textOf({ Resource: 'arn:aws:sqs:::b' }), 'invalid resource'],
  ['a condition as a list', textOf({ Condition: [] }), 'Condition'],
  ['an unknown operator', textOf({ Condition: { StringIs: { 's3:prefix': 'a' } } }), 'StringIs'],
  ['an unknown key', textOf({ Condition: { Bool: { 's3:nonsense': 'true' } } }), 's3:nonsense'],
  ['Null with IfExists', textOf({ Condition: { NullIfExists: { 's3:prefix': 'true' } } }), 'Null'],
  [
    'an invalid number',
    textOf({ Condition: { NumericEquals: { 's3:max-keys': 'x' } } }),
    'a number',
  ],
  ['an invalid date', textOf({ Condition: { DateEquals: { 'aws:CurrentTime': 'x' } } }), 'a date'],
  [
    'an invalid boolean',
    textOf({ Condition: { Bool: { 'aws:SecureTransport': 'yes' } } }),
    'true or false',
  ],
  [
    'an invalid IP address',
    textOf({ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/33' } } }),
    'IP',
  ],
  ['an object as a value', textOf({ Condition: { Bool: { 's3:prefix': {} } } }), 'must be strings'],
];

describe('a policy', () => {
  it.each(READABLE)('may have %s', (_, text) => {
    expect(() => read(text)).not.toThrow();
  });

  it.each(UNREADABLE)('is refused for %s', (_, text, message) => {
    const code = 'MalformedPolicy';
    const expected: unknown = expect.objectContaining({
      code,
      message: expect.stringContaining(message),
    });
    expect(() => read(text)).toThrow(expected);
  });

  it('allows each statement id once', () => {
    const text = textOf({}, { Statement: [1, 2].map(() => ({ ...STATEMENT, Sid: 'one' })) });
    expect(() => read(text)).toThrow(/unique/);
  });
});

describe('a policy is public', () => {
  const inside = (condition: object): object => ({ Condition: condition });
  it.each([
    [{}, true],
    [{ Principal: { AWS: ['p', '*'] } }, true],
    [{ Principal: { AWS: 'p' } }, false],
    [{ Effect: 'Deny' }, false],
    [inside({ IpAddress: { 'aws:SourceIp': '10.0.0.0/32' } }), false],
    [inside({ IpAddress: { 'aws:SourceIp': ['10.0.0.0/32', '0.0.0.0/1'] } }), true],
    [inside({ NotIpAddress: { 'aws:SourceIp': '10.0.0.0/32' } }), true],
    [inside({ IpAddressIfExists: { 'aws:SourceIp': '10.0.0.0/32' } }), true],
    [inside({ StringEquals: { 'aws:PrincipalAccount': 'p' } }), false],
    [inside({ StringLike: { 'aws:PrincipalAccount': 'p*' } }), true],
    [inside({ StringNotEquals: { 'aws:PrincipalAccount': 'p' } }), true],
    [inside({ StringEquals: { 's3:prefix': 'p' } }), true],
    [inside({ 'ForAllValues:StringEquals': { 'aws:userid': 'u' } }), true],
  ])('with %j: %j', (change, expected) => {
    expect(isPublicPolicy(parsePolicy(textOf(change)))).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS, type Caller } from '../../auth/caller.js';
import type { Bucket } from '../../buckets/bucket.entity.js';
import { queryOf, type S3Request } from '../../http/s3-request.js';
import type { StoredObject } from '../../objects/object.entity.js';
import { verdictOf } from './evaluate-policy.js';
import type { Asked } from './facts.js';
import { parsePolicy } from './parse-policy.js';

const NOW = new Date('2026-11-23T06:00:00.000Z');
const ANN = {
  kind: 'signed',
  projectId: 'p1',
  userId: 'ann',
  roles: ['member'],
  signatureVersion: 'AWS4-HMAC-SHA256',
  authType: 'REST-HEADER',
  signatureAge: 1500,
} as unknown as Caller;

interface Request {
  readonly action?: string;
  readonly caller?: Caller;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly isEncrypted?: boolean;
}

function verdict(statement: object | object[], request: Request = {}): string {
  const policy = parsePolicy(JSON.stringify({ Version: '2012-10-17', Statement: statement }));
  const { action = 's3:GetObject', caller = ANN, headers = {}, query = '' } = request;
  const asked: Asked = {
    caller,
    now: NOW,
    bucket: { name: 'b', projectId: 'owner', region: 'r1', configurations: {} } as Bucket,
    key: 'key' in request ? request.key : 'dir/k',
    object: request.tags && ({ tags: request.tags } as StoredObject),
    request: {
      headers,
      query: queryOf(query),
      clientAddress: request.address ?? '10.1.2.3',
      isEncrypted: request.isEncrypted ?? false,
    } as unknown as S3Request,
  };
  return verdictOf(policy, action, asked);
}

const ALLOW = { Effect: 'Allow', Principal: '*', Action: 's3:*', Resource: 'arn:aws:s3:::b/*' };

/** The verdict of a statement with this condition. */
function under(condition: object, request?: Request): string {
  return verdict({ ...ALLOW, Condition: condition }, request);
}

describe('a statement', () => {
  it.each([
    [{}, {}, 'allow'],
    [{ Effect: 'Deny' }, {}, 'deny'],
    [{ Action: 's3:GetObject' }, {}, 'allow'],
    [{ Action: 'S3:getobject' }, {}, 'allow'],
    [{ Action: ['s3:PutObject', 's3:Get*'] }, {}, 'allow'],
    [{ Action: 's3:PutObject' }, {}, 'nothing'],
    [{ Action: 's3:GetObject' }, { action: 's3:GetObjectVersion' }, 'nothing'],
    [{ Action: '*' }, {}, 'allow'],
    [{ Resource: 'arn:aws:s3:::b' }, {}, 'nothing'],
    [{ Resource: 'arn:aws:s3:::b' }, { key: undefined }, 'allow'],
    [{ Resource: 'arn:aws:s3:::b/dir/?' }, {}, 'allow'],
    [{ Resource: 'arn:aws:s3:::b/Dir/*' }, {}, 'nothing'],
    [{ Resource: ['arn:aws:s3:::x', 'arn:aws:s3:::*'] }, {}, 'allow'],
    [{ Resource: 'arn:aws:s3::owner:b/*' }, {}, 'allow'],
    [{ Resource: 'arn:aws:s3::*:b/*' }, {}, 'allow'],
    [{ Resource: 'arn:aws:s3::other:b/*' }, {}, 'nothing'],
    [{ Resource: '*' }, {}, 'allow'],
    [{ Resource: 'arn:aws:s3:::b/${aws:userid}/*' }, { key: 'ann/x' }, 'allow'],
    [{ Resource: 'arn:aws:s3:::b/${aws:userid}/*' }, { key: 'bob/x' }, 'nothing'],
    [{ Resource: 'arn:aws:s3:::b/${aws:PrincipalTag/a}/*' }, { key: '/x' }, 'nothing'],
  ])('with %j evaluates %j to %s', (change, request, expected) => {
    expect(verdict({ ...ALLOW, ...change }, request)).toBe(expected);
  });

  it.each([
    ['Action', 's3:PutObject', 'allow'],
    ['Action', 's3:Get*', 'nothing'],
    ['Resource', 'arn:aws:s3:::b/other/*', 'allow'],
    ['Resource', 'arn:aws:s3:::b/dir/*', 'nothing'],
  ])('with Not%s %s evaluates to %s', (field, value, expected) => {
    const { [field as 'Action']: _, ...rest } = ALLOW;
    expect(verdict({ ...rest, [`Not${field}`]: value })).toBe(expected);
  });

  it('that denies takes precedence over all others', () => {
    const deny = { ...ALLOW, Effect: 'Deny', Action: 's3:GetObject' };
    expect(verdict([deny, ALLOW])).toBe('deny');
    expect(verdict([ALLOW, deny], { action: 's3:PutObject' })).toBe('allow');
  });
});

describe('a principal', () => {
  it.each([
    ['*', 'allow', 'allow'],
    [{ AWS: '*' }, 'allow', 'allow'],
    [{ AWS: 'p1' }, 'allow', 'nothing'],
    [{ AWS: 'arn:aws:iam::p1:root' }, 'allow', 'nothing'],
    [{ AWS: 'arn:aws:iam::p2:root' }, 'nothing', 'nothing'],
    [{ AWS: 'arn:aws:iam::p1:user/ann' }, 'allow', 'nothing'],
    [{ AWS: 'arn:aws:iam::p1:user/team/ann' }, 'allow', 'nothing'],
    [{ AWS: 'arn:aws:iam::p1:user/bob' }, 'nothing', 'nothing'],
    [{ AWS: 'arn:aws:iam::p2:user/ann' }, 'nothing', 'nothing'],
    [{ AWS: ['p2', 'p1'] }, 'allow', 'nothing'],
    [{ CanonicalUser: 'p1' }, 'allow', 'nothing'],
    [{ Service: 'logging.s3.amazonaws.com' }, 'nothing', 'nothing'],
    [{ AWS: 'arn:aws:sts::p1:assumed-role/r/s' }, 'nothing', 'nothing'],
  ])(
    '%j evaluates to %s for a user of p1 and to %s for an anonymous caller',
    (Principal, signed, anonymous) => {
      const statement = { ...ALLOW, Principal };
      expect(verdict(statement)).toBe(signed);
      expect(verdict(statement, { caller: ANONYMOUS })).toBe(anonymous);
    },
  );

  it('can be everybody except those named', () => {
    const { Principal: _, ...rest } = ALLOW;
    const deny = { ...rest, Effect: 'Deny', NotPrincipal: { AWS: 'arn:aws:iam::p1:root' } };
    expect(verdict(deny)).toBe('nothing');
    expect(verdict(deny, { caller: ANONYMOUS })).toBe('deny');
  });
});

describe('conditions', () => {
  const acl = (value: string): Request => ({ headers: { 'x-amz-acl': value } });

  it.each([
    ['StringEquals', 'private', acl('private'), 'allow'],
    ['StringEquals', 'private', acl('Private'), 'nothing'],
    ['StringEquals', 'private', {}, 'nothing'],
    ['StringEquals', ['a', 'private'], acl('private'), 'allow'],
    ['StringNotEquals', 'private', acl('private'), 'nothing'],
    ['StringNotEquals', 'private', acl('x'), 'allow'],
    ['StringNotEquals', ['x', 'private'], acl('x'), 'nothing'],
    ['StringNotEquals', 'private', {}, 'allow'],
    ['StringEqualsIgnoreCase', 'private', acl('PRIVATE'), 'allow'],
    ['StringNotEqualsIgnoreCase', 'private', acl('PRIVATE'), 'nothing'],
    ['StringLike', 'public*', acl('public-read'), 'allow'],
    ['StringNotLike', 'public*', acl('public-read'), 'nothing'],
    ['StringEquals', 'public*', acl('public-read'), 'nothing'],
    ['StringEqualsIfExists', 'private', {}, 'allow'],
    ['StringEqualsIfExists', 'private', acl('x'), 'nothing'],
    ['Null', 'true', {}, 'allow'],
    ['Null', 'true', acl('x'), 'nothing'],
    ['Null', false, acl('x'), 'allow'],
  ])('%s %j on s3:x-amz-acl of %j: %s', (operator, value, request, expected) => {
    expect(under({ [operator]: { 's3:x-amz-acl': value } }, request)).toBe(expected);
  });

  it.each([
    ['NumericEquals', '10', 'allow'],
    ['NumericEquals', 10, 'allow'],
    ['NumericNotEquals', '10', 'nothing'],
    ['NumericLessThan', '10', 'nothing'],
    ['NumericLessThanEquals', '10', 'allow'],
    ['NumericGreaterThan', '9.5', 'allow'],
    ['NumericGreaterThanEquals', '11', 'nothing'],
  ])('%s %j on ten keys at most: %s', (operator, value, expected) => {
    expect(under({ [operator]: { 's3:max-keys': value } }, { query: 'max-keys=10' })).toBe(
      expected,
    );
  });

  it.each([
    ['DateLessThan', '2026-11-24T00:00:00Z', 'allow'],
    ['DateGreaterThan', '2026-11-24T00:00:00Z', 'nothing'],
    ['DateGreaterThanEquals', '2026-11-23', 'allow'],
    ['DateEquals', '2026-11-23T06:00:00Z', 'allow'],
    ['DateNotEquals', '2026-11-23T06:00:00Z', 'nothing'],
    ['DateLessThanEquals', '1700000000', 'nothing'],
  ])('%s %s evaluates to %s at the current time', (operator, value, expected) => {
    expect(under({ [operator]: { 'aws:CurrentTime': value } })).toBe(expected);
  });

  it.each([
    ['IpAddress', '10.0.0.0/8', '10.1.2.3', 'allow'],
    ['IpAddress', '10.1.2.3', '10.1.2.3', 'allow'],
    ['IpAddress', ['192.0.2.0/24', '10.1.2.0/24'], '10.1.2.3', 'allow'],
    ['IpAddress', '10.0.0.0/16', '10.1.2.3', 'nothing'],
    ['NotIpAddress', '10.0.0.0/8', '10.1.2.3', 'nothing'],
    ['IpAddress', '10.0.0.0/8', '::ffff:10.1.2.3', 'allow'],
    ['IpAddress', '2001:db8::/32', '2001:db8:1::9', 'allow'],
    ['IpAddress', '2001:db8::/32', '10.1.2.3', 'nothing'],
  ])('%s %j of %s: %s', (operator, value, address, expected) => {
    expect(under({ [operator]: { 'aws:SourceIp': value } }, { address })).toBe(expected);
  });

  it.each([
    ['Bool', 'aws:SecureTransport', 'false', {}, 'allow'],
    ['Bool', 'aws:SecureTransport', true, { isEncrypted: true }, 'allow'],
    ['Bool', 'aws:SecureTransport', 'true', {}, 'nothing'],
    ['ArnLike', 'aws:PrincipalArn', 'arn:aws:iam::p1:user/*', {}, 'allow'],
    ['ArnEquals', 'aws:PrincipalArn', 'arn:aws:iam::*:user/bob', {}, 'nothing'],
    ['ArnNotLike', 'aws:PrincipalArn', 'arn:aws:iam::p1:*', {}, 'nothing'],
    ['StringEquals', 'aws:PrincipalArn', 'x', { caller: ANONYMOUS }, 'nothing'],
    ['StringEquals', 'AWS:userid', 'ann', {}, 'allow'],
    ['StringEquals', 'aws:PrincipalType', 'Anonymous', { caller: ANONYMOUS }, 'allow'],
    ['StringEquals', 's3:authType', 'REST-HEADER', {}, 'allow'],
    ['StringEquals', 's3:signatureversion', 'AWS4-HMAC-SHA256', {}, 'allow'],
    ['NumericLessThan', 's3:signatureAge', '2000', {}, 'allow'],
    [
      'StringLike',
      'aws:Referer',
      'http://a.example/*',
      { headers: { referer: 'http://a.example/x' } },
      'allow',
    ],
    ['StringLike', 'aws:UserAgent', 'aws-*', { headers: { 'user-agent': 'aws-cli/2' } }, 'allow'],
    ['StringEquals', 'aws:ResourceAccount', 'owner', {}, 'allow'],
    ['StringEquals', 's3:prefix', '', { query: 'prefix=' }, 'allow'],
    ['StringEquals', 's3:prefix', '', {}, 'nothing'],
    ['StringLike', 's3:prefix', 'home/${aws:userid}/*', { query: 'prefix=home/ann/x' }, 'allow'],
    ['StringEquals', 's3:delimiter', '/', { query: 'delimiter=%2F' }, 'allow'],
    ['StringEquals', 's3:VersionId', 'v1', { query: 'versionId=v1' }, 'allow'],
    [
      'StringLike',
      's3:x-amz-copy-source',
      'b/a b/*',
      { headers: { 'x-amz-copy-source': '/b/a%20b/c?versionId=v' } },
      'allow',
    ],
    ['StringEquals', 's3:x-amz-metadata-directive', 'COPY', {}, 'nothing'],
    [
      'StringEquals',
      's3:x-amz-server-side-encryption',
      'AES256',
      { headers: { 'x-amz-server-side-encryption': 'AES256' } },
      'allow',
    ],
    ['StringEquals', 's3:ExistingObjectTag/a', 'b', { tags: { a: 'b' } }, 'allow'],
    ['StringEquals', 's3:ExistingObjectTag/A', 'b', { tags: { a: 'b' } }, 'nothing'],
    ['StringEquals', 's3:existingobjecttag/toString', 'b', { tags: {} }, 'nothing'],
    [
      'StringEquals',
      's3:RequestObjectTag/a',
      'b',
      { headers: { 'x-amz-tagging': 'a=b&c=d' } },
      'allow',
    ],
    [
      'ForAllValues:StringEquals',
      's3:RequestObjectTagKeys',
      ['a', 'c'],
      { headers: { 'x-amz-tagging': 'a=b&c=d' } },
      'allow',
    ],
    [
      'ForAllValues:StringEquals',
      's3:RequestObjectTagKeys',
      ['a'],
      { headers: { 'x-amz-tagging': 'a=b&c=d' } },
      'nothing',
    ],
    ['ForAllValues:StringEquals', 's3:RequestObjectTagKeys', ['a'], {}, 'allow'],
    [
      'ForAnyValue:StringEquals',
      's3:RequestObjectTagKeys',
      ['a'],
      { headers: { 'x-amz-tagging': 'a=b&c=d' } },
      'allow',
    ],
    ['ForAnyValue:StringEquals', 's3:RequestObjectTagKeys', ['a'], {}, 'nothing'],
    [
      'NumericLessThan',
      's3:object-lock-remaining-retention-days',
      '10',
      { headers: { 'x-amz-object-lock-retain-until-date': '2026-11-30T00:00:00Z' } },
      'allow',
    ],
    [
      'StringEquals',
      's3:object-lock-mode',
      'GOVERNANCE',
      { headers: { 'x-amz-object-lock-mode': 'GOVERNANCE' } },
      'allow',
    ],
  ])('%s of %s and %j for %j: %s', (operator, key, value, request, expected) => {
    expect(under({ [operator]: { [key]: value } }, request)).toBe(expected);
  });

  it('must all be met', () => {
    const condition = {
      StringEquals: { 's3:x-amz-acl': 'private', 's3:prefix': 'a' },
      Bool: { 'aws:SecureTransport': 'false' },
    };
    const request = { headers: { 'x-amz-acl': 'private' }, query: 'prefix=a' };
    expect(under(condition, request)).toBe('allow');
    expect(under(condition, { ...request, query: '' })).toBe('nothing');
    expect(under(condition, { ...request, isEncrypted: true })).toBe('nothing');
  });
});

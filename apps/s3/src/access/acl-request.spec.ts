import { describe, expect, it } from '@jest/globals';
import { ALL_USERS, AUTHENTICATED_USERS, LOG_DELIVERY } from '../buckets/acl.js';
import { aclOf } from './acl-request.js';

const ME = 'a'.repeat(32);
const THEM = 'b'.repeat(32);

function group(uri: string, permission: string) {
  return { grantee: { kind: 'group', uri }, permission };
}
function project(id: string, permission = 'FULL_CONTROL') {
  return { grantee: { kind: 'project', id }, permission };
}

describe('a canned ACL', () => {
  it.each([
    ['public-read', [group(ALL_USERS, 'READ'), project(ME)]],
    ['public-read-write', [group(ALL_USERS, 'READ'), group(ALL_USERS, 'WRITE'), project(ME)]],
    ['authenticated-read', [group(AUTHENTICATED_USERS, 'READ'), project(ME)]],
    ['bucket-owner-read', [project(THEM, 'READ'), project(ME)]],
    ['bucket-owner-full-control', [project(THEM), project(ME)]],
    [
      'log-delivery-write',
      [group(LOG_DELIVERY, 'WRITE'), group(LOG_DELIVERY, 'READ_ACP'), project(ME)],
    ],
  ])('%s grants to groups before the owner', (name, grants) => {
    expect(aclOf({ 'x-amz-acl': name }, ME, THEM)).toEqual({ owner: ME, grants });
  });

  it.each(['private', 'aws-exec-read'])("%s is the owner's alone", (name) => {
    expect(aclOf({ 'x-amz-acl': name }, ME, THEM)).toBeNull();
  });

  it.each(['bucket-owner-read', 'bucket-owner-full-control'])(
    '%s grants nothing further where the owner is the same',
    (name) => {
      expect(aclOf({ 'x-amz-acl': name }, ME, ME)).toBeNull();
    },
  );

  it.each(['public-ready', '', 'toString'])('%j is refused as unknown', (name) => {
    expect(() => aclOf({ 'x-amz-acl': name }, ME, THEM)).toThrow(
      expect.objectContaining({
        code: 'InvalidArgument',
        details: { ArgumentName: 'x-amz-acl', ArgumentValue: name },
      }),
    );
  });
});

describe('grants in headers', () => {
  it('are in the order of the permissions, and grant the owner nothing further', () => {
    const headers = {
      'x-amz-grant-full-control': `id="${THEM}"`,
      'x-amz-grant-read': `uri="${ALL_USERS}", id=${THEM}`,
      'x-amz-grant-write-acp': `id='${THEM}'`.replaceAll("'", '"'),
    };
    expect(aclOf(headers, ME, ME)).toEqual({
      owner: ME,
      grants: [
        group(ALL_USERS, 'READ'),
        project(THEM, 'READ'),
        project(THEM, 'WRITE_ACP'),
        project(THEM),
      ],
    });
  });

  it.each([
    ['uri="http://example.com/group"', 'InvalidArgument'],
    ['emailAddress="a@example.com"', 'UnresolvableGrantByEmailAddress'],
    ['id', 'InvalidArgument'],
    ['name="a"', 'InvalidArgument'],
    ['', 'InvalidArgument'],
    [Array.from({ length: 101 }, (_, at) => `id=p${at}`).join(), 'InvalidRequest'],
  ])('are refused: %s', (text, code) => {
    expect(() => aclOf({ 'x-amz-grant-read': text }, ME, ME)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('cannot be combined with a canned ACL', () => {
    const headers = { 'x-amz-acl': 'private', 'x-amz-grant-read': `id=${THEM}` };
    expect(() => aclOf(headers, ME, ME)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' }),
    );
  });
});

it('no ACL is requested without headers', () => {
  expect(aclOf({}, ME, THEM)).toBeNull();
});

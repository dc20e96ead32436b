/**
 * The ACL that the headers of a request ask for. Whether the projects in it exist, and whether the
 * bucket takes it, has been seen to before an operation runs. Public source: Amazon S3 API
 * reference, PutObjectAcl.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  ALL_USERS,
  AUTHENTICATED_USERS,
  fullControl,
  LOG_DELIVERY,
  type Acl,
  type Grant,
  type Grantee,
} from '../buckets/acl.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';

/** In the order in which an ACL shows them. */
const GRANT_HEADERS = [
  ['x-amz-grant-read', 'READ'],
  ['x-amz-grant-write', 'WRITE'],
  ['x-amz-grant-read-acp', 'READ_ACP'],
  ['x-amz-grant-write-acp', 'WRITE_ACP'],
  ['x-amz-grant-full-control', 'FULL_CONTROL'],
] as const satisfies readonly (readonly [string, Grant['permission']])[];

const GROUPS = [ALL_USERS, AUTHENTICATED_USERS, LOG_DELIVERY];
export const MAX_GRANTS = 100;

/** Whether headers ask for an ACL at all. */
export function asksForAcl(headers: IncomingHttpHeaders): boolean {
  return headers['x-amz-acl'] !== undefined || grantsAsked(headers).length > 0;
}

/**
 * @param owner the project that owns what the ACL is for
 * @param bucketOwner the project that owns the bucket; the same for a bucket's own ACL
 * @returns null if its owner alone has all permissions, as when the headers ask for none
 * @throws S3Error InvalidArgument, InvalidRequest, UnresolvableGrantByEmailAddress
 */
export function aclOf(
  headers: IncomingHttpHeaders,
  owner: string,
  bucketOwner: string,
): Acl | null {
  const canned = headers['x-amz-acl'];
  const asked = grantsAsked(headers);
  if (canned !== undefined && asked.length > 0)
    throw new S3Error('InvalidRequest', {
      message: 'Specifying both Canned ACLs and Header Grants is not allowed',
    });
  if (canned !== undefined) {
    const acl = cannedAcl(String(canned), owner, bucketOwner);
    if (acl !== undefined) return acl;
    throw invalidArgument('x-amz-acl', String(canned), `There is no canned ACL ${String(canned)}.`);
  }
  if (asked.length === 0) return null;
  const grants = asked.flatMap(([name, text, permission]) =>
    granteesOf(name, text).map((grantee): Grant => ({ grantee, permission })),
  );
  if (grants.length > MAX_GRANTS)
    throw new S3Error('InvalidRequest', {
      message: `An ACL has at most ${MAX_GRANTS} grants, and these headers ask for ${grants.length}.`,
    });
  return { owner, grants };
}

/**
 * @param name of what it stands in: a header, or an element
 * @throws S3Error InvalidArgument for a group that S3 does not have
 */
export function groupOf(uri: string, name: string): Grantee {
  if (GROUPS.includes(uri)) return { kind: 'group', uri };
  throw invalidArgument(name, uri, `Invalid group uri: ${uri}`);
}

/** Nobody can be named by an address here: users sign in at identity, and it tells no addresses. */
export function unresolvable(address: string): S3Error {
  return new S3Error('UnresolvableGrantByEmailAddress', {
    message: `The email address ${address} does not match any account on record.`,
    details: { EmailAddress: address },
  });
}

function grantsAsked(headers: IncomingHttpHeaders): [string, string, Grant['permission']][] {
  return GRANT_HEADERS.flatMap(([name, permission]) => {
    const text = headers[name];
    return text === undefined ? [] : [[name, String(text), permission]];
  });
}

/** `id="…", uri=…`: quotes may be left out. */
const ENTRY = /^\s*(id|uri|emailaddress)\s*=\s*(?:"([^"]*)"|([^\s",]+))\s*$/i;

function granteesOf(name: string, text: string): Grantee[] {
  return text.split(',').map((entry) => {
    const [, kind = '', quoted, plain] = ENTRY.exec(entry) ?? [];
    const value = quoted ?? plain;
    if (value === undefined)
      throw invalidArgument(
        name,
        text,
        `The header ${name} is a list of id=, uri= and emailAddress=.`,
      );
    if (kind.toLowerCase() === 'id') return { kind: 'project', id: value };
    if (kind.toLowerCase() === 'uri') return groupOf(value, name);
    throw unresolvable(value);
  });
}

type Grants = (bucketOwner: string) => readonly Grant[];

/**
 * ACLs that clients ask for by name. Public source: Amazon S3 user guide, "Canned ACL".
 *
 * What each grants besides full control to the owner.
 */
const CANNED: Readonly<Record<string, Grants>> = {
  private: () => [],
  'public-read': () => [toGroup(ALL_USERS, 'READ')],
  'public-read-write': () => [toGroup(ALL_USERS, 'READ'), toGroup(ALL_USERS, 'WRITE')],
  'authenticated-read': () => [toGroup(AUTHENTICATED_USERS, 'READ')],
  // Amazon lets its own image import read; here that acts as the one who asks for it.
  'aws-exec-read': () => [],
  'bucket-owner-read': (id) => [{ grantee: { kind: 'project', id }, permission: 'READ' }],
  'bucket-owner-full-control': (id) => [fullControl(id)],
  'log-delivery-write': () => [toGroup(LOG_DELIVERY, 'WRITE'), toGroup(LOG_DELIVERY, 'READ_ACP')],
};

/**
 * @param bucketOwner the project that owns the bucket of the object, or the bucket itself
 * @returns undefined for an unknown name; null for what needs no storing: the owner has everything
 */
function cannedAcl(name: string, owner: string, bucketOwner: string): Acl | null | undefined {
  if (!Object.hasOwn(CANNED, name)) return undefined;
  const more = (CANNED[name]?.(bucketOwner) ?? []).filter(
    ({ grantee }) => grantee.kind === 'group' || grantee.id !== owner,
  );
  return more.length === 0 ? null : { owner, grants: [...more, fullControl(owner)] };
}

function toGroup(uri: string, permission: Grant['permission']): Grant {
  return { grantee: { kind: 'group', uri }, permission };
}

/** ACLs that clients ask for by name. Public source: Amazon S3 user guide, "Canned ACL". */
import {
  ALL_USERS,
  AUTHENTICATED_USERS,
  fullControl,
  LOG_DELIVERY,
  type Acl,
  type Grant,
} from './acl.js';

type Grants = (bucketOwner: string) => readonly Grant[];

/** What each grants besides full control to the owner. */
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
export function cannedAcl(
  name: string,
  owner: string,
  bucketOwner: string,
): Acl | null | undefined {
  if (!Object.hasOwn(CANNED, name)) return undefined;
  const more = (CANNED[name]?.(bucketOwner) ?? []).filter(
    ({ grantee }) => grantee.kind === 'group' || grantee.id !== owner,
  );
  return more.length === 0 ? null : { owner, grants: [...more, fullControl(owner)] };
}

function toGroup(uri: string, permission: Grant['permission']): Grant {
  return { grantee: { kind: 'group', uri }, permission };
}

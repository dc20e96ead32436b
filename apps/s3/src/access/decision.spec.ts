import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../auth/caller.js';
import { ANONYMOUS } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import { ALL_USERS, AUTHENTICATED_USERS, type Acl, type Grant } from '../buckets/acl.js';
import { isAllowed } from './decision.js';

const OWNER = 'owner';
const WRITER = 'writer';
const REQUEST = { headers: {}, query: new Map<string, string>() } as unknown as S3Request;

function of(projectId: string, ...roles: string[]): Caller {
  return { kind: 'signed', projectId, userId: 'u', roles } as unknown as Caller;
}
const CALLERS: Readonly<Record<string, Caller>> = {
  owner: of(OWNER, 'member', 'reader'),
  'reader of the owner': of(OWNER, 'reader'),
  'one of the owner without a role': of(OWNER),
  writer: of(WRITER, 'member', 'reader'),
  stranger: of('stranger', 'member', 'reader'),
  'reader elsewhere': of('stranger', 'reader'),
  admin: of('stranger', 'admin'),
  anybody: ANONYMOUS,
};

function acl(owner: string, ...grants: [who: string, permission: Grant['permission']][]): Acl {
  return {
    owner,
    grants: grants.map(([who, permission]) => ({
      grantee: who.startsWith('http') ? { kind: 'group', uri: who } : { kind: 'project', id: who },
      permission,
    })),
  };
}

const NO_BLOCK = {
  blockPublicAcls: false,
  ignorePublicAcls: false,
  blockPublicPolicy: false,
  restrictPublicBuckets: false,
};

interface State {
  readonly bucketAcl?: Acl;
  readonly objectAcl?: Acl;
  readonly objectOwner?: string;
  readonly configurations?: Bucket['configurations'];
  readonly isMissing?: boolean;
}

/** The callers who may do it. */
function allowed(action: string, state: State = {}): string[] {
  const { bucketAcl = null, objectAcl = null, objectOwner = OWNER, configurations = {} } = state;
  const bucket = { name: 'b', projectId: OWNER, acl: bucketAcl, configurations } as Bucket;
  const object = state.isMissing
    ? undefined
    : ({ ownerId: objectOwner, acl: objectAcl, isDeleteMarker: false } as StoredObject);
  const resource = { bucket, key: 'k', object, request: REQUEST };
  return Object.entries(CALLERS).flatMap(([name, caller]) =>
    isAllowed({ caller, action, resource }) ? [name] : [],
  );
}

const OWN = ['owner', 'admin'];
const OWN_READERS = ['owner', 'reader of the owner', 'admin'];
const PUBLIC_READ = acl(OWNER, [ALL_USERS, 'READ'], [OWNER, 'FULL_CONTROL']);
const EVERYBODY = Object.keys(CALLERS).filter((name) => !name.includes('without'));
const EVERY_WRITER = EVERYBODY.filter((name) => !name.includes('reader'));

describe('without an ACL', () => {
  it.each([
    ['s3:GetObject', OWN_READERS],
    ['s3:GetObjectVersion', OWN_READERS],
    ['s3:ListBucket', OWN_READERS],
    ['s3:GetObjectAcl', OWN_READERS],
    ['s3:PutObject', OWN],
    ['s3:DeleteObject', OWN],
    ['s3:PutBucketPolicy', OWN],
    ['s3:BypassGovernanceRetention', OWN],
  ])("%s is for the owner's project, according to roles", (action, who) => {
    expect(allowed(action)).toEqual(who);
  });
});

describe('the ACL of a bucket', () => {
  it('lets the public list, but read nothing', () => {
    const state = { bucketAcl: PUBLIC_READ };
    expect(allowed('s3:ListBucket', state)).toEqual(EVERYBODY);
    expect(allowed('s3:GetObject', state)).toEqual(OWN_READERS);
    expect(allowed('s3:GetBucketAcl', state)).toEqual(OWN_READERS);
  });

  it('lets the public write, but not users with the reader role', () => {
    const state = { bucketAcl: acl(OWNER, [ALL_USERS, 'WRITE']) };
    expect(allowed('s3:PutObject', state)).toEqual(EVERY_WRITER);
    expect(allowed('s3:DeleteObject', state)).toEqual(EVERY_WRITER);
    expect(allowed('s3:DeleteObjectVersion', state)).toEqual(OWN);
    expect(allowed('s3:PutObjectTagging', state)).toEqual(OWN);
  });

  it('grants access to authenticated users', () => {
    const state = { bucketAcl: acl(OWNER, [AUTHENTICATED_USERS, 'READ']) };
    expect(allowed('s3:ListBucket', state)).toEqual(EVERYBODY.filter((name) => name !== 'anybody'));
  });

  it('grants a project full control, within what ACLs cover', () => {
    const state = { bucketAcl: acl(OWNER, [WRITER, 'FULL_CONTROL']) };
    for (const action of ['s3:ListBucket', 's3:PutBucketAcl', 's3:GetBucketAcl'])
      expect(allowed(action, state)).toContain('writer');
    for (const action of ['s3:PutBucketPolicy', 's3:DeleteBucket', 's3:GetObject'])
      expect(allowed(action, state)).not.toContain('writer');
    expect(allowed('s3:ListBucket', state)).not.toContain('stranger');
  });
});

describe('the ACL of an object', () => {
  it('lets the public read it, but not its ACL', () => {
    const state = { objectAcl: PUBLIC_READ };
    expect(allowed('s3:GetObject', state)).toEqual(EVERYBODY);
    expect(allowed('s3:GetObjectVersion', state)).toEqual(EVERYBODY);
    expect(allowed('s3:GetObjectAcl', state)).toEqual(OWN_READERS);
    expect(allowed('s3:GetObjectTagging', state)).toEqual(OWN_READERS);
  });

  it('cannot take access away from its owner', () => {
    const state = { objectAcl: acl(OWNER, [OWNER, 'WRITE']) };
    expect(allowed('s3:GetObject', state)).toEqual(OWN_READERS);
  });
});

describe('an object that another project owns', () => {
  const state = { objectOwner: WRITER };

  it('can be read by its own project', () => {
    expect(allowed('s3:GetObject', state)).toEqual(['writer', 'admin']);
    expect(allowed('s3:PutObjectAcl', state)).toEqual(['writer', 'admin']);
  });

  it('can be deleted by the owner of the bucket', () => {
    expect(allowed('s3:DeleteObject', state)).toEqual(OWN);
  });

  it('belongs to the bucket owner where that is enforced, whatever ACLs grant', () => {
    const configurations = { ownership: 'BucketOwnerEnforced' } as const;
    const objectAcl = acl(WRITER, [ALL_USERS, 'READ']);
    expect(allowed('s3:GetObject', { ...state, objectAcl, configurations })).toEqual(OWN_READERS);
  });
});

describe('a public access block', () => {
  it('ignores public grants only', () => {
    const configurations = { publicAccessBlock: { ...NO_BLOCK, ignorePublicAcls: true } };
    const bucketAcl = acl(OWNER, [ALL_USERS, 'READ'], [WRITER, 'READ']);
    const who = allowed('s3:ListBucket', { bucketAcl, configurations });
    expect(who).toEqual(['owner', 'reader of the owner', 'writer', 'admin']);
  });
});

describe('a missing object', () => {
  it('is revealed only to callers who may list', () => {
    const state = { isMissing: true };
    expect(allowed('s3:GetObject', state)).toEqual(OWN_READERS);
    expect(allowed('s3:GetObject', { ...state, bucketAcl: PUBLIC_READ })).toEqual(EVERYBODY);
  });
});

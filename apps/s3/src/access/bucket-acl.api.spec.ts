import {
  CreateBucketCommand,
  GetBucketAclCommand,
  PutBucketAclCommand,
  type Grant,
  type PutBucketAclCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { TestS3 } from '../s3.fixture.js';
import { ALL_USERS, AUTHENTICATED_USERS } from '../buckets/acl.js';

let s3: TestS3;
let owner: S3Client;
let stranger: S3Client;
let Bucket: string;

beforeAll(async () => {
  s3 = await TestS3.start({ namespace: 'global' });
  owner = s3.client();
  stranger = s3.client(s3.stranger);
});
afterAll(() => s3.stop());

beforeEach(async () => {
  Bucket = `b-${newId()}`;
  await owner.send(new CreateBucketCommand({ Bucket }));
});

async function put(input: Omit<PutBucketAclCommandInput, 'Bucket'>, client = owner): Promise<void> {
  await client.send(new PutBucketAclCommand({ Bucket, ...input }));
}

async function grants(client = owner): Promise<Grant[]> {
  const { Grants = [] } = await client.send(new GetBucketAclCommand({ Bucket }));
  return Grants;
}

function toProject(id: string, Permission: Grant['Permission'] = 'FULL_CONTROL'): Grant {
  return { Grantee: { Type: 'CanonicalUser', ID: id, DisplayName: id }, Permission };
}

function toGroup(URI: string, Permission: Grant['Permission']): Grant {
  return { Grantee: { Type: 'Group', URI }, Permission };
}

/** A document that gives the bucket's owner full control, and these grants. */
function document(...more: Grant[]): Omit<PutBucketAclCommandInput, 'Bucket'> {
  const Grants = [...more, toProject(s3.projectId)];
  return { AccessControlPolicy: { Owner: { ID: s3.projectId }, Grants } };
}

describe('the ACL of a bucket', () => {
  it('grants access to its owner alone at first', async () => {
    const answer = await owner.send(new GetBucketAclCommand({ Bucket }));
    expect(answer.Owner).toEqual({ ID: s3.projectId, DisplayName: s3.projectId });
    expect(answer.Grants).toEqual([toProject(s3.projectId)]);
  });

  it('follows the canned ACL, and shows groups first', async () => {
    await put({ ACL: 'public-read-write' });
    expect(await grants()).toEqual([
      toGroup(ALL_USERS, 'READ'),
      toGroup(ALL_USERS, 'WRITE'),
      toProject(s3.projectId),
    ]);
    await put({ ACL: 'private' });
    expect(await grants()).toEqual([toProject(s3.projectId)]);
  });

  it('lets the grantees of a document read and write it', async () => {
    await expect(grants(stranger)).rejects.toMatchObject({ name: 'AccessDenied' });
    const { projectId } = s3.stranger;
    await put(document(toProject(projectId, 'READ_ACP'), toProject(projectId, 'WRITE_ACP')));
    expect(await grants(stranger)).toEqual([
      toProject(projectId, 'READ_ACP'),
      toProject(projectId, 'WRITE_ACP'),
      toProject(s3.projectId),
    ]);
    await put(document(toGroup(AUTHENTICATED_USERS, 'READ')), stranger);
    expect(await grants()).toEqual([toGroup(AUTHENTICATED_USERS, 'READ'), toProject(s3.projectId)]);
  });

  it('can be set by headers', async () => {
    await put({ GrantReadACP: `id="${s3.stranger.projectId}", uri="${ALL_USERS}"` });
    expect(await grants()).toEqual([
      toGroup(ALL_USERS, 'READ_ACP'),
      toProject(s3.stranger.projectId, 'READ_ACP'),
    ]);
  });

  it('accepts fifty concurrent changes', async () => {
    const changes = Array.from({ length: 50 }, () => put({ ACL: 'public-read' }));
    await expect(Promise.all(changes)).resolves.toHaveLength(50);
  });
});

describe('an ACL is refused', () => {
  const nobody = newId();

  it.each<[string, () => Omit<PutBucketAclCommandInput, 'Bucket'>, string]>([
    ['with an unknown name', () => ({ ACL: 'public-ready' as never }), 'InvalidArgument'],
    ['without a name or grants', () => ({}), 'MissingSecurityHeader'],
    ['for a project that does not exist', () => document(toProject(nobody)), 'InvalidArgument'],
    ['for an invalid project id', () => document(toProject('_foo!')), 'InvalidArgument'],
    [
      'for an unknown project in a header',
      () => ({ GrantRead: `id=${nobody}` }),
      'InvalidArgument',
    ],
    [
      'for an e-mail address',
      () =>
        document({
          Grantee: { Type: 'AmazonCustomerByEmail', EmailAddress: 'a@example.com' },
          Permission: 'READ',
        }),
      'UnresolvableGrantByEmailAddress',
    ],
    [
      'for an unknown group',
      () => document(toGroup('http://a.example', 'READ')),
      'InvalidArgument',
    ],
    [
      'with an unknown permission',
      () => document(toGroup(ALL_USERS, 'ALL' as never)),
      'MalformedACLError',
    ],
    [
      'with another owner',
      () => ({ AccessControlPolicy: { Owner: { ID: nobody }, Grants: [] } }),
      'AccessDenied',
    ],
    ['without an owner', () => ({ AccessControlPolicy: { Grants: [] } }), 'MalformedACLError'],
    [
      'with more than a hundred grants',
      () => document(...Array.from({ length: 100 }, () => toGroup(ALL_USERS, 'READ'))),
      'MalformedACLError',
    ],
    [
      'in both headers and a document',
      () => ({ ...document(), ACL: 'private' }),
      'UnexpectedContent',
    ],
    [
      'in two kinds of headers',
      () => ({ ACL: 'private', GrantRead: `uri=${ALL_USERS}` }),
      'InvalidRequest',
    ],
  ])('%s', async (_, input, name) => {
    await expect(put(input())).rejects.toMatchObject({ name });
    expect(await grants()).toEqual([toProject(s3.projectId)]);
  });
});

describe('CreateBucket', () => {
  it('refuses an unknown ACL or grantee, and creates nothing', async () => {
    const name = `b-${newId()}`;
    for (const ask of [{ ACL: 'nonsense' as never }, { GrantRead: `id=${newId()}` }])
      await expect(
        owner.send(new CreateBucketCommand({ Bucket: name, ...ask })),
      ).rejects.toMatchObject({ name: 'InvalidArgument' });
    await expect(owner.send(new GetBucketAclCommand({ Bucket: name }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });

  it('refuses a public ACL where bucket ownership is enforced', async () => {
    const ask = { ACL: 'public-read', ObjectOwnership: 'BucketOwnerEnforced' } as const;
    await expect(
      owner.send(new CreateBucketCommand({ Bucket: `b-${newId()}`, ...ask })),
    ).rejects.toMatchObject({ name: 'InvalidBucketAclWithObjectOwnership' });
  });
});

it('verifies the expected owner, if it is given', async () => {
  const ask = { Bucket, ExpectedBucketOwner: '123456789012' };
  await expect(owner.send(new GetBucketAclCommand(ask))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  await owner.send(new GetBucketAclCommand({ Bucket, ExpectedBucketOwner: s3.projectId }));
});

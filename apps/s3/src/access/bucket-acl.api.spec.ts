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
  it('is its owner’s alone at first', async () => {
    const answer = await owner.send(new GetBucketAclCommand({ Bucket }));
    expect(answer.Owner).toEqual({ ID: s3.projectId, DisplayName: s3.projectId });
    expect(answer.Grants).toEqual([toProject(s3.projectId)]);
  });

  it('is what its name says, and shows groups first', async () => {
    await put({ ACL: 'public-read-write' });
    expect(await grants()).toEqual([
      toGroup(ALL_USERS, 'READ'),
      toGroup(ALL_USERS, 'WRITE'),
      toProject(s3.projectId),
    ]);
    await put({ ACL: 'private' });
    expect(await grants()).toEqual([toProject(s3.projectId)]);
  });

  it('lets those read and write it whom a document names', async () => {
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

  it('comes in headers, too', async () => {
    await put({ GrantReadACP: `id="${s3.stranger.projectId}", uri="${ALL_USERS}"` });
    expect(await grants()).toEqual([
      toGroup(ALL_USERS, 'READ_ACP'),
      toProject(s3.stranger.projectId, 'READ_ACP'),
    ]);
  });

  it('is one when fifty ask for it at once', async () => {
    const changes = Array.from({ length: 50 }, () => put({ ACL: 'public-read' }));
    await expect(Promise.all(changes)).resolves.toHaveLength(50);
  });
});

describe('an ACL is refused', () => {
  const nobody = newId();

  it.each<[string, () => Omit<PutBucketAclCommandInput, 'Bucket'>, string]>([
    ['of an unknown name', () => ({ ACL: 'public-ready' as never }), 'InvalidArgument'],
    ['that is none', () => ({}), 'MissingSecurityHeader'],
    ['for a project that there is not', () => document(toProject(nobody)), 'InvalidArgument'],
    ['for what can be no project', () => document(toProject('_foo!')), 'InvalidArgument'],
    ['for it in a header', () => ({ GrantRead: `id=${nobody}` }), 'InvalidArgument'],
    [
      'for an address',
      () =>
        document({
          Grantee: { Type: 'AmazonCustomerByEmail', EmailAddress: 'a@example.com' },
          Permission: 'READ',
        }),
      'UnresolvableGrantByEmailAddress',
    ],
    ['for another group', () => document(toGroup('http://a.example', 'READ')), 'InvalidArgument'],
    ['of a permission', () => document(toGroup(ALL_USERS, 'ALL' as never)), 'MalformedACLError'],
    [
      'of another owner',
      () => ({ AccessControlPolicy: { Owner: { ID: nobody }, Grants: [] } }),
      'AccessDenied',
    ],
    ['of no owner', () => ({ AccessControlPolicy: { Grants: [] } }), 'MalformedACLError'],
    [
      'of more than a hundred grants',
      () => document(...Array.from({ length: 100 }, () => toGroup(ALL_USERS, 'READ'))),
      'MalformedACLError',
    ],
    ['in headers and a document', () => ({ ...document(), ACL: 'private' }), 'UnexpectedContent'],
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
  it('takes no ACL of an unknown name, or for nobody, and leaves nothing behind', async () => {
    const name = `b-${newId()}`;
    for (const ask of [{ ACL: 'nonsense' as never }, { GrantRead: `id=${newId()}` }])
      await expect(
        owner.send(new CreateBucketCommand({ Bucket: name, ...ask })),
      ).rejects.toMatchObject({ name: 'InvalidArgument' });
    await expect(owner.send(new GetBucketAclCommand({ Bucket: name }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });

  it('takes no public ACL where the owner is to own everything', async () => {
    const ask = { ACL: 'public-read', ObjectOwnership: 'BucketOwnerEnforced' } as const;
    await expect(
      owner.send(new CreateBucketCommand({ Bucket: `b-${newId()}`, ...ask })),
    ).rejects.toMatchObject({ name: 'InvalidBucketAclWithObjectOwnership' });
  });
});

it('requires the expected owner to be right, if it is given', async () => {
  const ask = { Bucket, ExpectedBucketOwner: '123456789012' };
  await expect(owner.send(new GetBucketAclCommand(ask))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  await owner.send(new GetBucketAclCommand({ Bucket, ExpectedBucketOwner: s3.projectId }));
});

import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  DeleteBucketReplicationCommand,
  GetBucketAccelerateConfigurationCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLoggingCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketReplicationCommand,
  GetBucketRequestPaymentCommand,
  GetBucketTaggingCommand,
  GetObjectLockConfigurationCommand,
  ListBucketInventoryConfigurationsCommand,
  PutBucketAccelerateConfigurationCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketReplicationCommand,
  PutBucketTaggingCommand,
  PutObjectLockConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bucket as BucketEntity } from '../buckets/bucket.entity.js';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;
let client: S3Client;
const Bucket = 'shop';

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client();
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3.stop());

const failing = (name: string, status: number): object => ({
  name,
  $metadata: { httpStatusCode: status },
});

describe('a configuration', () => {
  it('can be put, read and deleted', async () => {
    const get = new GetBucketCorsCommand({ Bucket });
    await expect(client.send(get)).rejects.toMatchObject(failing('NoSuchCORSConfiguration', 404));
    const CORSRules = [{ ID: 'a', AllowedMethods: ['GET'], AllowedOrigins: ['https://a.example'] }];
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    expect(await client.send(get)).toMatchObject({ CORSRules });
    const gone = await client.send(new DeleteBucketCorsCommand({ Bucket }));
    expect(gone.$metadata.httpStatusCode).toBe(204);
    await expect(client.send(get)).rejects.toMatchObject(failing('NoSuchCORSConfiguration', 404));
    await client.send(new DeleteBucketCorsCommand({ Bucket }));
  });

  it('keeps its previous value if a change is refused', async () => {
    const put = (Key: string) =>
      client.send(
        new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: [{ Key, Value: '' }] } }),
      );
    expect((await put('good')).$metadata.httpStatusCode).toBe(204);
    await expect(put('aws:bad')).rejects.toMatchObject(failing('InvalidTag', 400));
    const { TagSet } = await client.send(new GetBucketTaggingCommand({ Bucket }));
    expect(TagSet).toEqual([{ Key: 'good', Value: '' }]);
  });

  it('of a lifecycle is returned as it was sent', async () => {
    const Rules = [
      {
        ID: 'a',
        Status: 'Enabled' as const,
        Filter: { And: { Prefix: 'logs/', Tags: [{ Key: 'k', Value: 'v' }] } },
        Expiration: { Date: new Date('2030-01-01T00:00:00Z') },
      },
    ];
    await client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
    );
    const found = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect(found.Rules).toEqual(Rules);
    expect(found.TransitionDefaultMinimumObjectSize).toBe('all_storage_classes_128K');
  });

  it('of another project is not found', async () => {
    const stranger = s3.client(s3.stranger);
    await expect(stranger.send(new GetBucketTaggingCommand({ Bucket }))).rejects.toMatchObject(
      failing('NoSuchBucket', 404),
    );
  });
});

describe('an unset configuration', () => {
  it('is answered with the default, as by Amazon', async () => {
    const payment = await client.send(new GetBucketRequestPaymentCommand({ Bucket }));
    expect(payment.Payer).toBe('BucketOwner');
    const logging = await client.send(new GetBucketLoggingCommand({ Bucket }));
    expect(logging.LoggingEnabled).toBeUndefined();
    const told = await client.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
    expect(told.TopicConfigurations).toBeUndefined();
    const { Status } = await client.send(new GetBucketAccelerateConfigurationCommand({ Bucket }));
    expect(Status).toBeUndefined();
    const listed = await client.send(new ListBucketInventoryConfigurationsCommand({ Bucket }));
    expect([listed.IsTruncated, listed.InventoryConfigurationList]).toEqual([false, undefined]);
    await client.send(new DeleteBucketReplicationCommand({ Bucket }));
  });

  it('is answered with the error of its kind, as by Amazon', async () => {
    await expect(client.send(new GetBucketReplicationCommand({ Bucket }))).rejects.toMatchObject(
      failing('ReplicationConfigurationNotFoundError', 404),
    );
  });

  it('cannot be set for replication and acceleration, which are refused by name', async () => {
    const replication = { Role: 'r', Rules: [] };
    const put = new PutBucketReplicationCommand({ Bucket, ReplicationConfiguration: replication });
    await expect(client.send(put)).rejects.toMatchObject(failing('NotImplemented', 501));
    const AccelerateConfiguration = { Status: 'Enabled' as const };
    const accelerate = { Bucket, AccelerateConfiguration };
    await expect(
      client.send(new PutBucketAccelerateConfigurationCommand(accelerate)),
    ).rejects.toMatchObject(failing('NotImplemented', 501));
  });
});

describe('object lock', () => {
  const ObjectLockConfiguration = {
    ObjectLockEnabled: 'Enabled' as const,
    Rule: { DefaultRetention: { Mode: 'GOVERNANCE' as const, Days: 1 } },
  };

  it('needs versioning to be enabled', async () => {
    const name = { Bucket: 'vault' };
    const get = new GetObjectLockConfigurationCommand(name);
    const put = new PutObjectLockConfigurationCommand({ ...name, ObjectLockConfiguration });
    await client.send(new CreateBucketCommand(name));
    await expect(client.send(get)).rejects.toMatchObject(
      failing('ObjectLockConfigurationNotFoundError', 404),
    );
    await expect(client.send(put)).rejects.toMatchObject(failing('InvalidBucketState', 409));
    const { ctx } = s3.started;
    await ctx.manager.update(BucketEntity, { name: 'vault' }, { versioning: 'enabled' });
    await client.send(put);
    expect((await client.send(get)).ObjectLockConfiguration).toEqual(ObjectLockConfiguration);
  });

  it('has no default retention until a rule sets one', async () => {
    const name = { Bucket: 'safe' };
    await client.send(new CreateBucketCommand({ ...name, ObjectLockEnabledForBucket: true }));
    const found = await client.send(new GetObjectLockConfigurationCommand(name));
    expect(found.ObjectLockConfiguration).toEqual({ ObjectLockEnabled: 'Enabled' });
  });
});

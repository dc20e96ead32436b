import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketOwnershipControlsCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type Event,
  type S3Client,
} from '@aws-sdk/client-s3';
import { eventually } from '@cumulet/testing/settle';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bucket } from '../buckets/bucket.entity.js';
import { TestS3 } from '../s3.fixture.js';
import { BucketEvent } from './bucket-event.entity.js';
import type { EventRecord } from './event-record.js';

let s3: TestS3;
let client: S3Client;
let server: Server;
let status = 200;
let told: EventRecord[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { Records: EventRecord[] };
      if (status === 200) told.push(...body.Records);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  s3 = await TestS3.start({ webhookNetworks: '127.0.0.1' });
  client = s3.client();
});
beforeEach(() => {
  told = [];
  status = 200;
});
afterAll(async () => {
  await s3.stop();
  server.close();
});

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

async function bucketTelling(name: string, Events: Event[], to = url()): Promise<void> {
  await client.send(new CreateBucketCommand({ Bucket: name }));
  const FilterRules = [{ Name: 'prefix' as const, Value: 'in/' }];
  const rule = { Id: 'rule', TopicArn: `arn:aws:sns:::${to}`, Events };
  await client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: name,
      NotificationConfiguration: {
        TopicConfigurations: [{ ...rule, Filter: { Key: { FilterRules } } }],
      },
    }),
  );
}

const waiting = (): Promise<number> => s3.started.ctx.manager.count(BucketEvent);

describe('a webhook', () => {
  it('is notified of the events of its rule', async () => {
    const name = 'telling';
    await bucketTelling(name, ['s3:ObjectCreated:*', 's3:ObjectRemoved:Delete']);
    const Key = 'in/a b+ä';
    await client.send(new PutObjectCommand({ Bucket: name, Key, Body: 'test' }));
    await client.send(new PutObjectCommand({ Bucket: name, Key: 'out/a', Body: 'test' }));
    const CopySource = `${name}/out/a`;
    await client.send(new CopyObjectCommand({ Bucket: name, Key: 'in/copy', CopySource }));
    await client.send(new DeleteObjectCommand({ Bucket: name, Key: 'in/copy' }));
    await client.send(new DeleteObjectCommand({ Bucket: name, Key: 'in/nothing' }));
    await eventually('the webhook is told', async () => (await waiting()) === 0);
    expect(told).toHaveLength(3);
    const [put, copy, removed] = told;
    expect(put).toMatchObject({
      eventSource: 'aws:s3',
      eventName: 'ObjectCreated:Put',
      awsRegion: 'us-east-1',
      userIdentity: { principalId: s3.projectId },
      requestParameters: { sourceIPAddress: '127.0.0.1' },
      s3: {
        configurationId: 'rule',
        bucket: { name, arn: `arn:aws:s3:::${name}` },
        object: { key: 'in/a+b%2B%C3%A4', size: 4, eTag: '098f6bcd4621d373cade4e832627b4f6' },
      },
    });
    expect(copy?.eventName).toBe('ObjectCreated:Copy');
    expect(removed?.eventName).toBe('ObjectRemoved:Delete');
    const [before = '', after = ''] = [copy, removed].map((one) => one?.s3.object.sequencer);
    expect([before.length, after >= before]).toEqual([16, true]);
  });

  it('is notified of changed tags and ACLs, but not of unchanged ones', async () => {
    const name = 'describing';
    const at = { Bucket: name };
    await bucketTelling(name, ['s3:ObjectTagging:*', 's3:ObjectAcl:Put']);
    const ObjectOwnership = 'ObjectWriter' as const;
    const OwnershipControls = { Rules: [{ ObjectOwnership }] };
    await client.send(new PutBucketOwnershipControlsCommand({ ...at, OwnershipControls }));
    await s3.started.ctx.manager.update(Bucket, { name }, { versioning: 'enabled' });
    const Tagging = { TagSet: [{ Key: 'a', Value: 'b' }] };
    const { VersionId } = await client.send(
      new PutObjectCommand({ ...at, Key: 'in/a', Body: 'test' }),
    );
    for (const Key of ['in/a', 'out/a']) {
      if (Key === 'out/a') await client.send(new PutObjectCommand({ ...at, Key, Body: 'test' }));
      await client.send(new PutObjectTaggingCommand({ ...at, Key, Tagging }));
      await client.send(new DeleteObjectTaggingCommand({ ...at, Key }));
      const ACL = 'authenticated-read' as const;
      await client.send(new PutObjectAclCommand({ ...at, Key, ACL }));
      await client.send(new PutObjectAclCommand({ ...at, Key, ACL }));
    }
    const nothing = new PutObjectTaggingCommand({ ...at, Key: 'in/nothing', Tagging });
    await expect(client.send(nothing)).rejects.toMatchObject({ name: 'NoSuchKey' });
    await eventually('the webhook is told', async () => (await waiting()) === 0);
    expect(told.map(({ eventName }) => eventName).sort()).toEqual([
      'ObjectAcl:Put',
      'ObjectTagging:Delete',
      'ObjectTagging:Put',
    ]);
    for (const { s3: of } of told)
      expect(of.object).toEqual({
        key: 'in/a',
        size: 4,
        eTag: '098f6bcd4621d373cade4e832627b4f6',
        versionId: VersionId,
      });
  });

  it('is notified of delete markers with their version ids', async () => {
    const name = 'marking';
    await bucketTelling(name, ['s3:ObjectRemoved:*']);
    await s3.started.ctx.manager.update(Bucket, { name }, { versioning: 'enabled' });
    const { VersionId } = await client.send(new DeleteObjectCommand({ Bucket: name, Key: 'in/a' }));
    await client.send(new DeleteObjectCommand({ Bucket: name, Key: 'in/a', VersionId }));
    await eventually('the webhook is told', () => told.length === 2);
    expect(told.map(({ eventName, s3: { object } }) => [eventName, object.versionId])).toEqual([
      ['ObjectRemoved:DeleteMarkerCreated', VersionId],
      ['ObjectRemoved:Delete', VersionId],
    ]);
  });

  it.each([302, 404, 500])('that answers %d is retried later', async (failed) => {
    const name = `failing-${failed}`;
    status = failed;
    await bucketTelling(name, ['s3:ObjectCreated:Put'], `${url()}/${failed}`);
    await client.send(new PutObjectCommand({ Bucket: name, Key: 'in/a', Body: 'x' }));
    const { manager } = s3.started.ctx;
    await eventually('the webhook is left alone', async () => {
      const [event] = await manager.findBy(BucketEvent, { url: `${url()}/${failed}` });
      return event !== undefined && event.dueAt.getTime() > event.createdAt.getTime() + 4_000;
    });
    expect(told).toEqual([]);
    status = 200;
    await manager.update(BucketEvent, { url: `${url()}/${failed}` }, { dueAt: new Date(0) });
    await eventually('the webhook is told', () => told.length === 1);
  });

  it.each(['http://127.0.0.2:1/hook', 'http://169.254.169.254/hook', 'http://[::1]:1/hook'])(
    'at %s is never called',
    async (to) => {
      const name = `inside-${to.replaceAll(/[^a-z0-9]/g, '')}`;
      await bucketTelling(name, ['s3:ObjectCreated:Put'], to);
      await client.send(new PutObjectCommand({ Bucket: name, Key: 'in/a', Body: 'x' }));
      const { logs } = s3.started;
      const { host } = new URL(to);
      await eventually('it is refused', () => logs.some((log) => log['host'] === host));
      expect(JSON.stringify(logs.find((log) => log['host'] === host))).toContain(
        'has no address that may be posted to',
      );
    },
  );
});

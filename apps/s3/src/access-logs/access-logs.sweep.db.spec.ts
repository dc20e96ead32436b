import { randomUUID } from 'node:crypto';
import { exampleEnvironment } from '@cumulet/common/config/settings';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { Bucket } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { testContents } from '../content/content.fixture.js';
import { S3Database } from '../database/s3-database.fixture.js';
import { BucketEventRepository } from '../notifications/bucket-event.repository.js';
import { BucketEvents } from '../notifications/bucket-events.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { StoredObject } from '../objects/object.entity.js';
import { ObjectRepository } from '../objects/object.repository.js';
import { TargetRepository } from '../operations/target.repository.js';
import { s3Service } from '../service.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { AccessLogBatch } from './access-log-batch.entity.js';
import { AccessLogBatchRepository } from './access-log-batch.repository.js';
import { AccessLogsSweep, LogDelivery } from './access-logs.sweep.js';
import { LogTargets } from './log-targets.js';

const MIB = 1024 ** 2;
const SILENT = pino({ level: 'silent' });
const buckets = new BucketRepository();
const batches = new AccessLogBatchRepository();
const { writer, store } = testContents();

let database: S3Database;
let ctx: RequestContext;

beforeAll(async () => {
  database = await S3Database.create();
  ({ ctx } = database);
});
afterAll(() => database.destroy());

function sweepWith(bytesQuota = -1): AccessLogsSweep {
  const config = { ...s3Service.load(exampleEnvironment(s3Service.settings)), bytesQuota };
  const versions = new ObjectVersions(
    new ObjectRepository(),
    new BucketEvents(new BucketEventRepository()),
  );
  const targets = new LogTargets(new TargetRepository());
  const quotas = new StorageQuotas(config);
  const delivery = new LogDelivery(batches, targets, writer, versions, quotas, SILENT);
  return new AccessLogsSweep(batches, delivery, SILENT);
}

async function newTarget(): Promise<Bucket> {
  const projectId = asId<ProjectId>(randomUUID());
  const target = await buckets.create(ctx, { projectId, name: 'logs', region: 'r' });
  if (!target) throw new Error('the bucket is there already');
  return target;
}

async function keep(target: Bucket, lines: string): Promise<void> {
  const { projectId, region } = target;
  const logging = { bucket: target.name, prefix: '' };
  const source = { projectId, region, name: 'shop', logging, day: '2026-11-23' };
  await batches.insert(ctx, [{ destination: target.id, source, lines }]);
}

const waiting = ({ id }: Bucket): Promise<number> =>
  ctx.manager.countBy(AccessLogBatch, { destination: id });

const sizesIn = async ({ id }: Bucket): Promise<number[]> =>
  (await ctx.manager.findBy(StoredObject, { bucketId: id }))
    .map(({ size }) => Number(size))
    .sort((a, b) => a - b);

describe('log lines', () => {
  it('are combined into objects of limited size, in the order in which they were stored', async () => {
    const target = await newTarget();
    for (const letter of 'abc') await keep(target, letter.repeat(5 * MIB));
    await sweepWith().run(ctx);
    expect([await sizesIn(target), await waiting(target)]).toEqual([[5 * MIB, 10 * MIB], 0]);
    const begins = [...store.objects.values()].map((bytes) => String.fromCharCode(bytes[0] ?? 0));
    expect(begins.sort()).toEqual(['a', 'c']);
  });

  it('are kept if they cannot be stored as an object, without holding up other targets', async () => {
    const [target, other] = [await newTarget(), await newTarget()];
    await keep(target, 'a'.repeat(MIB));
    await keep(other, 'line\n');
    await sweepWith(100).run(ctx);
    expect([await sizesIn(target), await waiting(target)]).toEqual([[], 1]);
    expect([await sizesIn(other), await waiting(other)]).toEqual([[5], 0]);
    await sweepWith().run(ctx);
    expect([await sizesIn(target), await waiting(target)]).toEqual([[MIB], 0]);
  });

  it('are delivered once when several processes sweep', async () => {
    const target = await newTarget();
    await keep(target, 'line\n');
    await Promise.all(Array.from({ length: 4 }, () => sweepWith().run(ctx)));
    expect([await sizesIn(target), await waiting(target)]).toEqual([[5], 0]);
  });

  it('are dropped after a day', async () => {
    const target = await newTarget();
    await keep(target, 'a'.repeat(1_000));
    await keep(target, 'a'.repeat(1_000));
    const [first] = await batches.oldest(ctx, target.id, 1);
    await ctx.manager.query(
      `UPDATE access_log_batches SET created_at = now() - interval '25 hours' WHERE id = $1`,
      [first?.id],
    );
    await sweepWith(100).run(ctx);
    expect([await sizesIn(target), await waiting(target)]).toEqual([[], 1]);
  });
});

import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import { UNIFIED_LIMITS, type UnifiedLimits } from '@cumulet/clients/identity/limits.sweep';
import type { ServiceLimits } from '@cumulet/clients/identity/unified-limits-client';
import { TestS3 } from '../s3.fixture.js';
import { StorageQuotas } from './storage-quotas.js';
import { LimitsSweep } from './usage.controller.js';

class FakeLimits implements UnifiedLimits {
  limits: ServiceLimits | undefined = { defaults: {}, byProject: new Map() };

  read(): Promise<ServiceLimits> {
    return this.limits
      ? Promise.resolve(this.limits)
      : Promise.reject(new ServiceUnavailableError('identity', 'the test'));
  }
}

const limits = new FakeLimits();
let s3: TestS3;

beforeAll(async () => {
  const overrides = [{ provide: UNIFIED_LIMITS, useValue: limits }];
  s3 = await TestS3.start({ role: 'api', bytesQuota: 100_000 }, { overrides });
  for (const [key, bucket] of [
    [s3.member, 'one'],
    [s3.member, 'two'],
    [s3.stranger, 'one'],
  ] as const)
    await s3.client(key).send(new CreateBucketCommand({ Bucket: bucket }));
});
afterAll(() => s3.stop());

const put = (Key: string, size: number): Promise<unknown> =>
  s3.client().send(new PutObjectCommand({ Bucket: 'one', Key, Body: Buffer.alloc(size) }));

async function usage(roles: readonly string[], projectId = s3.projectId): Promise<unknown> {
  const token = await s3.started.tokens.issue([...roles], { projectId });
  const { status, body } = await s3.started.client.get('/-/usage', { token });
  return status === 200 ? (body as { projects: unknown[] }).projects : status;
}

describe('usage', () => {
  it('is shown by project and bucket', async () => {
    await put('a', 10);
    await put('b', 20_000);
    const own = {
      project_id: s3.projectId,
      objects: 2,
      bytes: 20_010,
      buckets: [
        { name: 'one', objects: 2, bytes: 20_010 },
        { name: 'two', objects: 0, bytes: 0 },
      ],
    };
    const other = {
      project_id: s3.stranger.projectId,
      objects: 0,
      bytes: 0,
      buckets: [{ name: 'one', objects: 0, bytes: 0 }],
    };
    expect(await usage(['reader'])).toEqual([own]);
    const all = await usage(['admin']);
    expect(all).toHaveLength(2);
    expect(all).toEqual(expect.arrayContaining([own, other]));
  });

  it('is not shown without a token', async () => {
    expect((await fetch(`${s3.url}/-/usage`)).status).toBe(401);
  });
});

describe('a quota', () => {
  it('that is not exhausted refuses too large a request with 403, and stores nothing', async () => {
    await expect(put('c', 90_000)).rejects.toMatchObject({
      name: 'QuotaExceeded',
      $metadata: { httpStatusCode: 403 },
    });
    await put('c', 80_000 - 10);
  });

  it('that is exhausted refuses with 413', async () => {
    await expect(put('d', 1)).rejects.toMatchObject({
      name: 'QuotaExceeded',
      $metadata: { httpStatusCode: 413 },
    });
    expect(await usage(['reader'])).toMatchObject([{ objects: 3, bytes: 100_000 }]);
  });

  it('of buckets comes from identity, and is kept while identity is unavailable', async () => {
    const ctx = RequestContext.system('req-test', s3.started.app.dataSource.manager);
    const { nest } = s3.started.app;
    const wanted = { s3_buckets: 2, s3_bytes: -1, volumes: 7 };
    limits.limits = { defaults: {}, byProject: new Map([[s3.projectId, wanted]]) };
    await nest.get(LimitsSweep).run(ctx);
    limits.limits = undefined;
    await nest.get(LimitsSweep).run(ctx);
    expect(await nest.get(StorageQuotas).limits(ctx, asId(s3.projectId))).toEqual({
      s3_buckets: 2,
      s3_objects: -1,
      s3_bytes: -1,
    });
    const created = s3.client().send(new CreateBucketCommand({ Bucket: 'three' }));
    await expect(created).rejects.toMatchObject({
      name: 'QuotaExceeded',
      $metadata: { httpStatusCode: 413 },
    });
  });
});

import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { signedHeaders } from '../signed-fetch.fixture.js';

const TEXT = 'text';

let s3: TestS3;
let source: TestBucket;
let target: TestBucket;
/** Keeps rows from all others until it ends. */
let holder: QueryRunner;

beforeAll(async () => {
  s3 = await TestS3.start({ answerWithinSeconds: 0.05 });
  source = await TestBucket.create(s3);
  await source.put('source', TEXT);
});
afterAll(() => s3.stop());
beforeEach(async () => {
  target = await TestBucket.create(s3);
  holder = s3.started.ctx.manager.dataSource.createQueryRunner();
  await holder.startTransaction();
});
afterEach(async () => {
  if (holder.isTransactionActive) await holder.rollbackTransaction();
  await holder.release();
});

const holdBucket = (): Promise<unknown> =>
  holder.query('SELECT FROM buckets WHERE name = $1 FOR UPDATE', [target.name]);
const holdUpload = (id = ''): Promise<unknown> =>
  holder.query('SELECT FROM uploads WHERE id = $1 FOR UPDATE', [id]);

/** @param act once an answer has begun to come: 200, whatever it ends with */
function clientThat(act: () => Promise<void>): S3Client {
  const client = s3.client();
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (...sent) => {
    const answer = await handle(...sent);
    expect((answer.response as { statusCode: number }).statusCode).toBe(200);
    await act();
    return answer;
  };
  return client;
}

const commit = (): Promise<void> => holder.commitTransaction();
const copyOf = () => ({ Bucket: target.name, Key: 'k', CopySource: `${source.name}/source` });

async function uploadOfOne() {
  const named = { Bucket: target.name, Key: 'k' };
  const { UploadId } = await target.client.send(new CreateMultipartUploadCommand(named));
  const part = { ...named, UploadId, PartNumber: 1 };
  const { ETag } = await target.client.send(new UploadPartCommand({ ...part, Body: TEXT }));
  return { ...named, UploadId, MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] } };
}

describe('a late response', () => {
  it('is padded with white space until its result is ready', async () => {
    await holdBucket();
    const request = {
      method: 'PUT',
      path: `/${target.name}/k`,
      headers: { 'x-amz-copy-source': `${source.name}/source`, origin: 'http://a' },
    };
    const { method, path } = request;
    const response = await fetch(s3.url + path, { method, headers: signedHeaders(s3, request) });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/xml',
    ]);
    expect(response.headers.get('content-length')).toBeNull();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.endsWith('   ') && holder.isTransactionActive) await commit();
    }
    expect(text).toMatch(/^<\?xml [^>]*\?>\n {3,}<CopyObjectResult .*<\/CopyObjectResult>$/s);
    expect(await target.text('k')).toBe(TEXT);
  });

  it('is understood by clients, for a copy', async () => {
    await holdBucket();
    const { CopyObjectResult } = await clientThat(commit).send(new CopyObjectCommand(copyOf()));
    expect(CopyObjectResult?.ETag).toBe((await target.head('k')).ETag);
  });

  it('is understood by clients, for a copied part and a completed upload', async () => {
    const { UploadId, MultipartUpload: _, ...named } = await uploadOfOne();
    await holdUpload(UploadId);
    const part = { ...copyOf(), UploadId, PartNumber: 1 };
    const { CopyPartResult } = await clientThat(commit).send(new UploadPartCopyCommand(part));
    await holder.startTransaction();
    await holdUpload(UploadId);
    const MultipartUpload = { Parts: [{ ETag: CopyPartResult?.ETag, PartNumber: 1 }] };
    const complete = { ...named, UploadId, MultipartUpload };
    const { ETag } = await clientThat(commit).send(new CompleteMultipartUploadCommand(complete));
    expect(ETag).toBe((await target.head('k')).ETag);
  });

  it('may be an error, for a copy whose bucket is gone', async () => {
    await holdBucket();
    const client = clientThat(async () => {
      await holder.query('DELETE FROM buckets WHERE name = $1', [target.name]);
      await commit();
    });
    const sent = client.send(new CopyObjectCommand(copyOf()));
    await expect(sent).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('may be an error, for an aborted upload', async () => {
    const upload = await uploadOfOne();
    await holdUpload(upload.UploadId);
    const client = clientThat(async () => {
      await holder.query('DELETE FROM uploads WHERE id = $1', [upload.UploadId]);
      await commit();
    });
    const sent = client.send(new CompleteMultipartUploadCommand(upload));
    await expect(sent).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect(await refusalOf(target.head('k'))).toBe('404 NotFound');
  });
});

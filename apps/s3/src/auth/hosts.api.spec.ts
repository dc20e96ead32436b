/** Requests are verified for the host that their client signed, whatever is in between. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { answerTo, signedHeaders, type Headers } from './signing.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start({ trustedProxies: '127.0.0.1', domains: 'files.example' });
  bucket = await TestBucket.create(s3);
  await bucket.put('grün', 'text');
});
afterAll(() => s3.stop());

const signedFor = (host: string, path: string): Promise<Headers> =>
  signedHeaders(s3, { method: 'GET', path, headers: { host } });

describe('a request', () => {
  it('may pass through a proxy that forwards the host', async () => {
    const path = `/${bucket.name}/gr%C3%BCn`;
    const headers = await signedFor('files.example', path);
    const own = { ...headers, host: 'inside:9000' };
    const sent = { method: 'GET', path };
    expect(await answerTo(s3, sent, own)).toMatchObject({ code: 'SignatureDoesNotMatch' });
    const forwarded = { ...own, 'x-forwarded-host': 'files.example' };
    expect(await answerTo(s3, sent, forwarded)).toMatchObject({ status: 200, text: 'text' });
  });

  it('may name the bucket in the host', async () => {
    const path = '/gr%C3%BCn';
    const headers = await signedFor(`${bucket.name}.files.example`, path);
    const answer = await answerTo(s3, { method: 'GET', path }, headers);
    expect(answer).toMatchObject({ status: 200, text: 'text' });
  });
});

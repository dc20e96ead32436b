/** What holds of the service as of any other, and of every operation of S3 as of any other of them. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REQUEST_ID } from '@cumulet/testing/expect-error';
import { expectRows } from '@cumulet/testing/expect-rows';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { testService } from '@cumulet/testing/test-service';
import { newId } from '@cumulet/testing/test-tokens';
import type { ErrorCode } from './http/s3-error.js';
import { isWrite, type OperationDeclaration } from './operations/operation-row.js';
import { OPERATIONS } from './operations/operations.js';
import { TestS3 } from './s3.fixture.js';
import { s3Service } from './service.js';
import { signedFetch, signedHeaders } from './signed-fetch.fixture.js';

/** Everything besides S3 is below it, with tokens instead of signatures. */
const OWN = '/-';

describe('the S3 service', () => {
  testService(s3Service, {
    start: async (options) => {
      const { started } = await TestS3.start({}, options);
      const { address = '', contract } = started.app;
      const pathOf = (path: string): string => contract.pathOf(OWN + path);
      const own = { address: address + OWN, contract: { ...contract, pathOf } };
      return { ...started, client: TestClient.of(own, s3Service) };
    },
    open: ['ALL /s3'],
  });
});

/** Where an operation is asked for, in a bucket that is nobody's. */
const PLACES = { service: '/', bucket: '/some-bucket', object: '/some-bucket/some/key' };

/** But forms, which say in their bodies who sends them. */
const operations: readonly OperationDeclaration[] = OPERATIONS.filter(
  ({ name }) => name !== 'PostObject',
);
const nameOf = ({ name }: OperationDeclaration): string => name;

function requestFor({ method, on, query, header }: OperationDeclaration) {
  const headers: Record<string, string> = header ? { [header]: '/other-bucket/key' } : {};
  const path = query === '' ? PLACES[on] : `${PLACES[on]}?${query}`;
  return { method, path, headers };
}

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The answer is an error of S3 in its form, unless nothing may stand in its body. */
function expectRefusal(
  { status, headers, text }: Refusal,
  method: string,
  expected: readonly [status: number, code: ErrorCode],
): void {
  const id = headers.get('x-amz-request-id') ?? '';
  expect(id).toMatch(REQUEST_ID);
  expect(headers.get('x-amz-id-2')).toBe(id);
  if (method === 'HEAD') {
    expect([status, text]).toEqual([expected[0], '']);
    return;
  }
  const [, code] = /^<\?xml [^>]*\?>\s*<Error><Code>(\w+)<\/Code><Message>[^<]+</.exec(text) ?? [];
  expect([status, code]).toEqual(expected);
  expect(headers.get('content-type')).toBe('application/xml');
  expect(text).toContain(`<RequestId>${id}</RequestId>`);
  expect(text).not.toMatch(/stack|node_modules|SELECT/);
}

describe('every operation', () => {
  let s3: TestS3;
  let reader: AccessKey;

  beforeAll(async () => {
    s3 = await TestS3.start();
    reader = s3.keys.issue(s3.projectId, ['reader']);
  });
  afterAll(() => s3.stop());

  async function unsigned(method: string, path: string, headers = {}): Promise<Refusal> {
    const answer = await fetch(s3.url + path, { method, headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  // Nobody has no buckets: their list is empty.
  const guarded = operations.filter(({ name }) => name !== 'ListBuckets');
  it('is refused without a signature', async () => {
    await expectRows(guarded, nameOf, async (operation) => {
      const { method, path, headers } = requestFor(operation);
      expectRefusal(await unsigned(method, path, headers), method, [403, 'AccessDenied']);
    });
  });

  it('is refused for an unknown key', async () => {
    await expectRows(operations, nameOf, async (operation) => {
      const asked = requestFor(operation);
      const key = { ...s3.member, access: newId() };
      const answer = await signedFetch(s3, { ...asked, key });
      expectRefusal(answer, asked.method, [403, 'InvalidAccessKeyId']);
    });
  });

  it('is refused if it is signed with a wrong secret', async () => {
    await expectRows(operations, nameOf, async (operation) => {
      const asked = requestFor(operation);
      const key = { ...s3.member, secret: newId() };
      const answer = await signedFetch(s3, { ...asked, key });
      expectRefusal(answer, asked.method, [403, 'SignatureDoesNotMatch']);
    });
  });

  it('does not find a missing bucket', async () => {
    const onBuckets = operations.filter(
      ({ on, name }) => on !== 'service' && name !== 'CreateBucket',
    );
    await expectRows(onBuckets, nameOf, async (operation) => {
      const asked = requestFor(operation);
      const answer = await signedFetch(s3, asked);
      expectRefusal(answer, asked.method, [404, 'NoSuchBucket']);
    });
  });

  it('is refused to a reader if it writes', async () => {
    await expectRows(operations.filter(isWrite), nameOf, async (operation) => {
      await signedFetch(s3, { method: 'PUT', path: PLACES.bucket });
      const asked = requestFor(operation);
      const answer = await signedFetch(s3, { ...asked, key: reader });
      await signedFetch(s3, { method: 'DELETE', path: PLACES.bucket });
      expectRefusal(answer, asked.method, [403, 'AccessDenied']);
    });
  });

  it.each([
    ['PATCH', PLACES.bucket],
    ['PURGE', PLACES.object],
    ['POST', PLACES.service],
    ['DELETE', PLACES.service],
    ['PATCH', `${PLACES.bucket}?acl`],
  ])('is refused with another method: %s %s', async (method, path) => {
    const answer = await unsigned(method, path);
    expectRefusal(answer, method, [405, 'MethodNotAllowed']);
    expect(answer.headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  });
});

describe('a service that is stopping', () => {
  it('refuses new requests, finishes pending ones, and ends', async () => {
    const s3 = await TestS3.start();
    const { url, started } = s3;
    await signedFetch(s3, { method: 'PUT', path: PLACES.bucket });
    const body = Buffer.alloc(1_000_000, 'x');
    const put = { method: 'PUT', path: PLACES.object, body };
    const headers = { ...signedHeaders(s3, put), 'content-length': String(body.length) };
    const upload = request(url + put.path, { method: put.method, headers });
    upload.write(body.subarray(0, 500_000));
    await eventually('the upload is under way', async () => {
      const rows = await started.app.dataSource.query<unknown[]>('SELECT FROM loose_data');
      return rows.length === 1;
    });

    const stopped = s3.stop();
    const [late, probe] = await Promise.all([fetch(url), fetch(`${url}/-/readyz`)]);
    const refusal = { status: late.status, headers: late.headers, text: await late.text() };
    expectRefusal(refusal, 'GET', [503, 'ServiceUnavailable']);
    expect(late.headers.get('retry-after')).toBe('5');
    expect(probe.status).toBe(503);
    const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
    upload.end(body.subarray(500_000));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
    await stopped;
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

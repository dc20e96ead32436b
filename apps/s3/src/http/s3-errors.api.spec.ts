import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { rawRequest } from '@cumulet/testing/raw-request';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start();
});
afterAll(() => s3.stop());

describe('an error', () => {
  it('is XML with its code, resource and request id, which headers carry too', async () => {
    const response = await fetch(`${s3.url}/a-bucket/a%20key?acl`);
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/xml');
    const id = response.headers.get('x-object-request-id') ?? '';
    expect(response.headers.get('x-amz-request-id')).toBe(id);
    expect(response.headers.get('x-trans-id')).toBe(`${id}-1`);
    const text = await response.text();
    expect(text).toContain('<Code>AccessDenied</Code>');
    expect(text).toContain('<Resource>/a-bucket/a%20key</Resource>');
    expect(text).toContain(`<RequestId>${id}</RequestId>`);
  });

  it('has no body for HEAD', async () => {
    const response = await fetch(`${s3.url}/a-bucket`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([403, '']);
  });

  it('names the attempt of a client that sends one', async () => {
    const headers = { 'amz-sdk-request': 'attempt=3; max=3' };
    const { headers: answer } = await fetch(`${s3.url}/`, { headers });
    expect(answer.get('x-trans-id')).toMatch(/^req-.*-3$/);
  });

  it.each([
    ['an unknown method', 'PATCH', '/a-bucket', 405, 'MethodNotAllowed'],
    ['an invalid escape', 'GET', '/a-bucket/%zz', 400, 'InvalidURI'],
    ['invalid UTF-8', 'GET', '/a-bucket/%ff', 400, 'InvalidURI'],
    ['a key that is too long', 'GET', `/a-bucket/${'k'.repeat(1025)}`, 400, 'KeyTooLongError'],
  ])('answers %s', async (_, method, path, status, code) => {
    const response = await fetch(s3.url + path, { method });
    expect([response.status, await response.text()]).toEqual([
      status,
      expect.stringContaining(`<Code>${code}</Code>`),
    ]);
  });
});

describe('a path outside of S3', () => {
  it.each(['/-/healthz', '/-/readyz'])('is answered at %s', async (path) => {
    expect((await fetch(s3.url + path)).status).toBe(200);
  });

  it.each(['healthz', 'readyz', 'metrics', 'docs', 'docs-json'])(
    'does not hide a bucket: %s',
    async (name) => {
      const client = s3.client();
      await client.send(new CreateBucketCommand({ Bucket: name }));
      await client.send(new PutObjectCommand({ Bucket: name, Key: name, Body: name }));
      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: name }));
      expect(Contents?.map(({ Key }) => Key)).toEqual([name]);
      const Policy = JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: '*',
            Action: 's3:GetObject',
            Resource: `arn:aws:s3:::${name}/*`,
          },
        ],
      });
      await client.send(new PutBucketPolicyCommand({ Bucket: name, Policy }));
      // Its host names the bucket, so that the path is a key, and nobody signed this.
      const open = await rawRequest(
        s3.url,
        `GET /${name} HTTP/1.1\r\nHost: ${name}.${s3.projectId}.localhost\r\nConnection: close\r\n\r\n`,
      );
      expect([open.status, open.text]).toEqual([200, name]);
    },
  );
});

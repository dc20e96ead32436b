/** Error pages of websites. */
import { PutBucketCorsCommand, type RoutingRule } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestS3 } from '../s3.fixture.js';
import { DOMAIN, TestWebsite } from './website.fixture.js';

const INDEX = { IndexDocument: { Suffix: 'index.html' } };
const WITH_ERRORS = { ...INDEX, ErrorDocument: { Key: 'error.html' } };
const SECOND = 'An Error Occurred While Attempting to Retrieve a Custom Error Document';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start({ websiteDomains: DOMAIN });
});
afterAll(() => s3.stop());

async function siteWith(rules: RoutingRule[]): Promise<TestWebsite> {
  const site = await TestWebsite.create(s3, { ...WITH_ERRORS, RoutingRules: rules });
  await site.bucket.put('index.html', 'root');
  await site.bucket.put('error.html', 'sorry');
  return site;
}

describe('the error document', () => {
  it('is shown with the status of the failure', async () => {
    const site = await TestWebsite.create(s3, WITH_ERRORS);
    await site.bucket.put('error.html', 'sorry', { ContentType: 'text/html' });
    const { status, headers, text } = await site.visit('/a', { headers: { range: 'bytes=0-1' } });
    expect([status, headers['content-type'], text]).toEqual([403, 'text/html', 'sorry']);
    const head = await site.visit('/a', { method: 'HEAD', headers: { 'if-match': '"a"' } });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([403, '5', '']);
    await site.bucket.put('few', 'a');
    const out = await site.visit('/few', { headers: { range: 'bytes=5-' } });
    expect([out.status, out.text]).toEqual([416, 'sorry']);
  });

  it('that is missing or private is reported in the error page', async () => {
    const site = await TestWebsite.create(s3, WITH_ERRORS, 'public/*');
    const { status, text } = await site.visit('/a');
    expect([status, text]).toEqual([403, expect.stringContaining(SECOND)]);
  });
});

describe('the error page', () => {
  it('contains nothing that a browser could execute', async () => {
    const site = await TestWebsite.create(s3, INDEX);
    const key = `<script>alert("1")</script>&'`;
    const { status, headers, text } = await site.visit(`/${encodeURIComponent(key)}`);
    expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
    expect(text).not.toContain('<script>');
    const host = `<b>"x.${s3.projectId}.${DOMAIN}`;
    const { text: unknown } = await site.visit('/', { headers: { host } });
    expect(unknown).toContain('<li>BucketName: &lt;b&gt;&quot;x</li>');
  });

  it.each([
    ['%ff', 400, 'InvalidURI'],
    ['%00', 403, 'AccessDenied'],
    ['a%0d%0aSet-Cookie:%20b', 403, 'AccessDenied'],
    ['..%2f..%2fetc/passwd', 403, 'AccessDenied'],
    [`${'a'.repeat(1024)}/`, 400, 'KeyTooLongError'],
    [`${'a'.repeat(1023)}/`, 403, 'AccessDenied'],
    ['a'.repeat(1024), 403, 'AccessDenied'],
  ])('is shown for /%.20s: %d', async (path, status, code) => {
    const site = await TestWebsite.create(s3, INDEX);
    const answer = await site.visit(`/${path}`);
    expect([answer.status, answer.headers['x-amz-error-code']]).toEqual([status, code]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.text).toContain(`<li>Code: ${code}</li>`);
  });

  it('reveals that a key is missing to those who may list', async () => {
    const site = await TestWebsite.create(s3, INDEX, '*', ['s3:GetObject', 's3:ListBucket']);
    const { status, headers, text } = await site.visit('/a/b');
    expect([status, headers['x-amz-error-code']]).toEqual([404, 'NoSuchKey']);
    expect(text).toContain('<li>Key: a/b</li>');
    const head = await site.visit('/a/b', { method: 'HEAD' });
    expect([head.status, head.headers['x-amz-error-code'], head.text]).toEqual([
      404,
      'NoSuchKey',
      '',
    ]);
  });

  it('can be read by pages of allowed origins', async () => {
    const site = await TestWebsite.create(s3, INDEX);
    const rule = { AllowedMethods: ['GET'], AllowedOrigins: ['http://b.example'] };
    const CORSConfiguration = { CORSRules: [rule] };
    const { client, name: Bucket } = site.bucket;
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }));
    const { headers } = await site.visit('/a', { headers: { origin: 'http://b.example' } });
    expect(headers['access-control-allow-origin']).toBe('http://b.example');
  });
});

describe('a routing rule', () => {
  it('redirects a prefix before objects are looked up', async () => {
    const site = await siteWith([
      { Condition: { KeyPrefixEquals: 'docs/' }, Redirect: { ReplaceKeyPrefixWith: 'documents/' } },
    ]);
    await site.bucket.put('docs/a', 'there');
    expect(await site.visit('/docs/a')).toMatchObject({
      status: 301,
      headers: { location: `http://${site.host}/documents/a` },
    });
    expect(await site.visit('/')).toMatchObject({ status: 200, text: 'root' });
    expect(await site.visit('/a')).toMatchObject({ status: 403, text: 'sorry' });
  });

  it('redirects a failure instead of showing the error document', async () => {
    const site = await siteWith([
      {
        Condition: { HttpErrorCodeReturnedEquals: '403', KeyPrefixEquals: 'images/' },
        Redirect: { ReplaceKeyWith: 'gone.html', HttpRedirectCode: '307', Protocol: 'https' },
      },
      {
        Condition: { HttpErrorCodeReturnedEquals: '403' },
        Redirect: { HostName: 'b.example', ReplaceKeyPrefixWith: 'report/' },
      },
    ]);
    expect(await site.visit('/images/a')).toMatchObject({
      status: 307,
      headers: { location: `https://${site.host}/gone.html` },
    });
    const location = 'http://b.example/report/a';
    expect(await site.visit('/a')).toMatchObject({ status: 301, headers: { location } });
    expect(await site.visit('/')).toMatchObject({ status: 200 });
  });
});

describe('a website that redirects all requests', () => {
  it('redirects to the other host with the path', async () => {
    const to = { HostName: 'b.example', Protocol: 'https' } as const;
    const site = await TestWebsite.create(s3, { RedirectAllRequestsTo: to });
    for (const path of ['/', '/a%20b/?c=d'])
      expect(await site.visit(path)).toMatchObject({
        status: 301,
        headers: { location: `https://b.example${path}` },
      });
  });
});

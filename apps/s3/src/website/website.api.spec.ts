/** Buckets as websites, as visitors meet them. */
import { DeleteBucketWebsiteCommand, GetBucketWebsiteCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { signedHeaders } from '../auth/signing.fixture.js';
import { refusalOf } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { DOMAIN, TestWebsite, visit } from './website.fixture.js';

const INDEX = { IndexDocument: { Suffix: 'index.html' } };
const PAGE = { ContentType: 'text/html' };
const LARGE = Buffer.alloc(300_000, 'large');

let s3: TestS3;
let site: TestWebsite;

beforeAll(async () => {
  s3 = await TestS3.start({ domains: 'example', websiteDomains: `other.example, ${DOMAIN}` });
  site = await TestWebsite.create(s3, INDEX);
  await site.bucket.put('index.html', 'root', PAGE);
  await site.bucket.put('docs/index.html', 'docs', PAGE);
  await site.bucket.put('large', LARGE);
  await site.bucket.put('grün <1>', 'green');
});
afterAll(() => s3.stop());

describe('a page', () => {
  it('is an object', async () => {
    const { status, headers, text } = await site.visit('/docs/index.html');
    expect([status, headers['content-type'], text]).toEqual([200, 'text/html', 'docs']);
    expect((await site.visit('/gr%C3%BCn%20%3C1%3E')).text).toBe('green');
    expect((await site.visit('/large')).text).toBe(LARGE.toString());
  });

  it('is the index document for a folder', async () => {
    expect((await site.visit('/')).text).toBe('root');
    expect((await site.visit('/docs/')).text).toBe('docs');
    expect((await site.visit('/docs/?versionId=a&acl&response-expires=b')).text).toBe('docs');
  });

  it('has no body for HEAD', async () => {
    const { status, headers, text } = await site.visit('/', { method: 'HEAD' });
    expect([status, headers['content-length'], text]).toEqual([200, '4', '']);
  });

  it('supports ranges and conditions', async () => {
    const part = await site.visit('/large', { headers: { range: 'bytes=0-4' } });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'large',
      `bytes 0-4/${LARGE.length}`,
    ]);
    const { etag = '' } = (await site.visit('/')).headers;
    const same = await site.visit('/', { headers: { 'if-none-match': etag } });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag]);
    const other = await site.visit('/', { headers: { 'if-match': '"a"' } });
    expect([other.status, other.headers['x-amz-error-code']]).toEqual([412, 'PreconditionFailed']);
  });

  it('can come from a bucket of any name in a project', async () => {
    const host = `${site.bucket.name}.${newId()}.${DOMAIN}`;
    expect(await site.visit('/', { headers: { host } })).toMatchObject({ status: 404 });
    expect(await site.visit('/', { headers: { host: site.host.toUpperCase() } })).toMatchObject({
      text: 'root',
    });
    const elsewhere = { host: site.host.replace(DOMAIN, 'other.example:80') };
    expect(await site.visit('/', { headers: elsewhere })).toMatchObject({ text: 'root' });
  });
});

describe('a folder without its slash', () => {
  it('redirects to the folder', async () => {
    const answer = await site.visit('/docs?a=1', { headers: { 'if-match': '"a"' } });
    expect(answer).toMatchObject({ status: 302, headers: { location: '/docs/?a=1' } });
    expect((await site.visit('/nothing')).status).toBe(403);
  });

  it('redirects within its host', async () => {
    await site.bucket.put('/b.example/index.html', 'b');
    const { headers } = await site.visit('//b.example');
    expect(headers.location).toBe('/%2Fb.example/');
    expect((await site.visit('/%2Fb.example/')).text).toBe('b');
  });

  it('is an object if one has its name', async () => {
    await site.bucket.put('both', 'object');
    await site.bucket.put('both/index.html', 'folder');
    expect((await site.visit('/both')).text).toBe('object');
  });
});

describe('an object that redirects', () => {
  it('redirects to the location that it names', async () => {
    for (const location of ['/docs/', 'https://b.example/a?b']) {
      await site.bucket.put('moved', LARGE, { WebsiteRedirectLocation: location });
      const answer = await site.visit('/moved');
      expect(answer).toMatchObject({ status: 301, headers: { location } });
      expect(answer.text).toContain('<title>301 Moved Permanently</title>');
    }
    await site.bucket.put('sealed', LARGE, {
      WebsiteRedirectLocation: '/docs/',
      ServerSideEncryption: 'AES256',
    });
    expect(await site.visit('/sealed')).toMatchObject({ status: 301 });
    expect((await site.bucket.get('moved')).WebsiteRedirectLocation).toBe('https://b.example/a?b');
  });

  it('reveals no location to those who may not read it', async () => {
    const secret = await TestWebsite.create(s3, INDEX, 'public/*');
    await secret.bucket.put('moved', 'a', { WebsiteRedirectLocation: '/a' });
    const { status, headers } = await secret.visit('/moved');
    expect([status, headers.location]).toEqual([403, undefined]);
  });
});

describe('a visitor', () => {
  it.each(['PUT', 'POST', 'DELETE', 'OPTIONS'])('cannot %s', async (method) => {
    const headers = { 'content-length': '0', origin: 'http://b.example' };
    const answer = await site.visit('/index.html', { method, headers });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(answer.text).toContain('<li>Code: MethodNotAllowed</li>');
    expect((await site.visit('/')).text).toBe('root');
  });

  it('is anonymous, even with a signature', async () => {
    const secret = await TestWebsite.create(s3, INDEX, 'public/*');
    await secret.bucket.put('index.html', 'secret');
    const { host } = secret;
    const signed = await signedHeaders(s3, { method: 'GET', path: '/', headers: { host } });
    expect(await secret.visit('/', { headers: signed })).toMatchObject({ status: 403 });
    expect(await site.visit('/', { headers: { authorization: 'a' } })).toMatchObject({
      status: 200,
    });
  });

  it('must name the project of the bucket', async () => {
    const headers = { host: `${site.bucket.name}.${DOMAIN}` };
    const { status, text } = await visit(s3, '/', 'GET', headers);
    expect([status, text]).toEqual([403, expect.stringContaining('names the project')]);
  });
});

describe('a website', () => {
  it('has only its own name where projects share the namespace', async () => {
    const shared = await TestS3.start({ namespace: 'global', websiteDomains: DOMAIN });
    try {
      const { bucket } = await TestWebsite.create(shared, INDEX);
      await bucket.put('index.html', 'shared');
      const headers = { host: `${bucket.name}.${DOMAIN}` };
      expect(await visit(shared, '/', 'GET', headers)).toMatchObject({ text: 'shared' });
    } finally {
      await shared.stop();
    }
  });

  it('can be configured and removed', async () => {
    const { bucket } = await TestWebsite.create(s3, INDEX);
    const named = { Bucket: bucket.name };
    expect(await bucket.client.send(new GetBucketWebsiteCommand(named))).toMatchObject(INDEX);
    await bucket.client.send(new DeleteBucketWebsiteCommand(named));
    expect(await refusalOf(bucket.client.send(new GetBucketWebsiteCommand(named)))).toBe(
      '404 NoSuchWebsiteConfiguration',
    );
  });

  it('is not found for a bucket without a configuration', async () => {
    const plain = await TestWebsite.create(s3, undefined);
    await plain.bucket.put('index.html', 'a');
    const { status, headers, text } = await plain.visit('/index.html');
    expect([status, headers['x-amz-error-code']]).toEqual([404, 'NoSuchWebsiteConfiguration']);
    expect(text).toContain(`<li>BucketName: ${plain.bucket.name}</li>`);
  });

  it('does not affect the hosts of the API', async () => {
    const host = site.host.replace(DOMAIN, 'example');
    const { status, text } = await site.visit('/docs', { headers: { host } });
    expect([status, text]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')]);
  });
});

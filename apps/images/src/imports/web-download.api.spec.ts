/** Downloads over HTTP through redirects, loops, and to forbidden addresses. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, TestImages } from '../images.fixture.js';
import { download, imported, importInto } from './imports.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

const DATA = Buffer.from('a raw disk');

let web: WebServer;
/** The web server's answer. */
let answer: Parameters<typeof WebServer.start>[0];

beforeAll(async () => {
  web = await WebServer.start((request, response) => answer(request, response));
});
afterAll(() => web.stop());

describe('web-download', () => {
  let images: TestImages;

  beforeAll(async () => {
    images = await TestImages.start({
      webDownloadAllowPrivate: true,
      webDownloadPorts: [web.port],
    });
  });
  afterAll(() => images.stop());

  it('follows five redirects, and not a sixth', async () => {
    answer = (request, response) => {
      const links = Number(request.url?.slice(1));
      if (links === 0) response.end(DATA);
      else response.writeHead(302, { location: `/${links - 1}` }).end();
    };
    const { id } = await images.create();
    await importInto(images, id, download(web.url('/6')));
    expect(await imported(images, id)).toMatchObject({
      status: 'queued',
      os_glance_status_reason: 'The download was redirected more than 5 times.',
    });
    await importInto(images, id, download(web.url('/5')));
    expect(await imported(images, id)).toMatchObject({ status: 'active', size: DATA.length });
  });

  it('ends in a redirect loop', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
    const { id } = await images.create();
    const before = web.requests.length;
    await importInto(images, id, download(web.url('/again')));
    expect(await imported(images, id)).toMatchObject({
      status: 'queued',
      os_glance_status_reason: 'The download was redirected more than 5 times.',
    });
    expect(web.requests).toHaveLength(before + 6);
  });
});

describe('web-download without access to private networks', () => {
  let guarded: TestImages;

  beforeAll(async () => {
    guarded = await TestImages.start({ webDownloadPorts: [80, 443, web.port] });
  });
  afterAll(() => guarded.stop());

  it.each(['127.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '2130706433'])(
    'is refused at once from %s',
    async (host) => {
      const { id } = await guarded.create();
      const response = await importInto(guarded, id, download(web.url('/', host)));
      expect(response.status).toBe(400);
      expect(errorOf(response).message).toContain(
        'has no address that images may be downloaded from.',
      );
    },
  );

  it('fails for a name that resolves to this machine', async () => {
    const before = web.connections;
    const { id } = await guarded.create();
    await importInto(guarded, id, download(web.url('/', 'localhost')));
    expect(await imported(guarded, id)).toMatchObject({
      status: 'queued',
      os_glance_status_reason:
        'The URI of the import cannot be used. Its host localhost has no address that images may be downloaded from.',
    });
    expect(web.connections).toBe(before);
  });
});

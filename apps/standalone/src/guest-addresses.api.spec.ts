/** What the cloud says of its own addresses to guests, which come by a door of their own. */
import 'reflect-metadata';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

const DOOR = 'http://169.254.169.254:8080';
/** Those behind the ingress; the others have a port of their own. */
const BEHIND = SERVICES.filter(({ ownPort }) => ownPort !== true);

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud(SERVICES);
});
afterAll(() => cloud.stop());

/** As a guest: the door passes on its bytes, and so the host that it asked for. */
async function ask(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<string> {
  const host = new URL(DOOR).host;
  const asked = request(cloud.url + path, {
    method,
    headers: { host, 'content-type': 'application/json', ...headers },
  });
  asked.end(body && JSON.stringify(body));
  return new Promise((resolve, reject) => {
    asked.once('error', reject);
    asked.once('response', (answer) => void text(answer).then(resolve, reject));
  });
}

interface Catalog {
  readonly catalog: readonly {
    readonly type: string;
    readonly endpoints: readonly { readonly url: string }[];
  }[];
}

const urlsIn = ({ catalog }: Catalog): string[] =>
  catalog.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));

describe('a guest', () => {
  it('sees all services behind the ingress at its own URL', async () => {
    const user = {
      name: 'admin',
      domain: { id: 'default' },
      password: cloud.secrets.adminPassword,
    };
    const project = { name: 'admin', domain: { id: 'default' } };
    const identity = { methods: ['password'], password: { user } };
    const auth = { identity, scope: { project } };
    const issued = JSON.parse(await ask('POST', '/identity/v3/auth/tokens', {}, { auth })) as {
      readonly token: Catalog;
    };
    const token = await cloud.login('admin', cloud.secrets.adminPassword);
    const headers = { 'x-auth-token': token };
    const shown = JSON.parse(await ask('GET', '/identity/v3/auth/catalog', headers)) as Catalog;
    for (const catalog of [issued.token, shown]) {
      const urls = urlsIn(catalog);
      for (const { path } of BEHIND)
        expect(urls).toContainEqual(expect.stringMatching(DOOR + path));
      expect(urls.filter((url) => url.startsWith(`${cloud.url}/`))).toEqual([]);
    }
  });

  it.each(BEHIND.map(({ path }) => path))(
    'sees versions of %s with links to its own URL',
    async (path) => {
      const versions = await ask('GET', `${path}/`);
      expect(versions).toContain(`${DOOR}${path}/v`);
      expect(versions).not.toContain(cloud.url);
    },
  );

  it('is the only one to see that URL', async () => {
    const { text: versions } = await cloud.client.get('/compute/');
    expect(versions).toContain(`${cloud.url}/compute/v2.1/`);
    expect(versions).not.toContain(DOOR);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';
import { EXTENSIONS } from './extensions.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const get = (path: string) => network.client.get(path, { token: network.reader });

describe('extensions', () => {
  it('are listed, and shown by their aliases', async () => {
    const { body } = await get('/v2.0/extensions');
    const { extensions } = body as { extensions: { alias: string }[] };
    expect(extensions.map(({ alias }) => alias)).toEqual(EXTENSIONS.map(({ alias }) => alias));
    for (const extension of extensions)
      expect((await get(`/v2.0/extensions/${extension.alias}`)).body).toEqual({ extension });
  });

  it('do not include those of which only a part is implemented: a network has one segment', async () => {
    for (const alias of ['segment', 'standard-attr-segment'])
      expect(refusalOf(await get(`/v2.0/extensions/${alias}`))).toEqual([404, 'HTTPNotFound']);
    const { id: network_id } = await network.create('networks', {});
    const segment = { network_id, network_type: 'geneve' };
    const answer = await network.client.post('/v2.0/segments', {
      token: network.admin,
      body: { segment },
    });
    expect(answer.status).toBe(501);
  });

  it('are the existing ones', async () => {
    const answer = await get('/v2.0/extensions/odd');
    expect(refusalOf(answer)).toEqual([404, 'HTTPNotFound']);
  });
});

describe('versions', () => {
  it('are the single one, which links to its resources', async () => {
    const { body } = await network.client.get('/');
    expect(body).toMatchObject({ versions: [{ id: 'v2.0', status: 'CURRENT' }] });
    const { versions } = body as { versions: [{ links: [{ href: string }] }] };
    const [{ links }] = versions;
    const path = links[0].href.replace(network.client.baseUrl, '');
    expect((await network.client.get(path)).body).toMatchObject({
      resources: [{ name: 'network' }, { name: 'subnet' }, { name: 'port' }],
    });
  });
});

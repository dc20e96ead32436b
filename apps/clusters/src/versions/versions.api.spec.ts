import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';

let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters();
});
afterAll(() => fixture.stop());

it('the versions are public', async () => {
  expect((await fixture.client.get('/')).body).toMatchObject({
    name: 'OpenStack Magnum API',
    versions: [
      {
        id: 'v1',
        status: 'CURRENT',
        min_version: '1.1',
        max_version: '1.14',
        links: [{ rel: 'self', href: expect.stringMatching(/\/v1\/$/) }],
      },
    ],
  });
  for (const path of ['/v1', '/v1/']) {
    const { status, body } = await fixture.client.get(path);
    expect([status, body]).toMatchObject([
      200,
      {
        id: 'v1',
        clusters: [{ href: expect.stringMatching(/\/v1\/clusters\/$/) }, {}],
        federations: [{}, {}],
      },
    ]);
  }
});

it('a path without a version, or with a trailing slash, is equivalent', async () => {
  const { token } = fixture;
  for (const path of ['/clusters', '/v1/clusters/', '/mservices'])
    expect([path, (await fixture.client.get(path, { token })).status]).toEqual([
      path,
      path === '/mservices' ? 403 : 200,
    ]);
});

describe('the version of a request', () => {
  const ask = (asked?: string) =>
    fixture.client.get('/v1/clusters', {
      token: fixture.token,
      ...(asked === undefined ? {} : { headers: { 'OpenStack-API-Version': asked } }),
    });

  it.each<[string | undefined, string]>([
    [undefined, '1.1'],
    ['container-infra 1.9', '1.9'],
    ['container-infra latest', '1.14'],
    ['container-infrastructure-management 1.9', '1.9'],
    ['container-infrastructure 1.9', '1.9'],
    ['compute 2.9', '1.1'],
  ])('%s is answered as %s', async (asked, version) => {
    const { status, headers } = await ask(asked);
    expect([status, headers.get('OpenStack-API-Version')]).toEqual([
      200,
      expect.stringMatching(new RegExp(` ${version.replace('.', String.raw`\.`)}$`)),
    ]);
    expect(headers.get('Vary')).toContain('OpenStack-API-Version');
    expect(headers.get('OpenStack-API-Minimum-Version')).toBe('container-infra 1.1');
    expect(headers.get('OpenStack-API-Maximum-Version')).toBe('container-infra 1.14');
  });

  it.each<[string, number]>([
    ['container-infra 1.15', 406],
    ['container-infra 2.1', 406],
    ['container-infra x', 400],
  ])('%s is answered with %d', async (asked, status) => {
    expect((await ask(asked)).status).toBe(status);
  });

  it('that does not exist is answered with the supported range', async () => {
    const { body, headers } = await ask('container-infra 1.15');
    expect((body as { errors: object[] }).errors).toMatchObject([
      { code: 'magnum.microversion-unsupported', min_version: '1.1', max_version: '1.14' },
    ]);
    expect(headers.get('OpenStack-API-Maximum-Version')).toBe('container-infra 1.14');
  });
});

it('federations are refused by name', async () => {
  const answer = await fixture.ask('GET', '/v1/federations');
  expect(answer.status).toBe(501);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(async () => {
  await compute.stop();
});

const version = (baseUrl: string): object => ({
  id: 'v2.1',
  status: 'CURRENT',
  version: '2.104',
  min_version: '2.1',
  updated: '2013-07-23T11:33:21Z',
  links: [{ rel: 'self', href: `${baseUrl}/v2.1/` }],
});

/** The same API by its first name, for clients of before microversions. */
const first = (baseUrl: string): object => ({
  id: 'v2.0',
  status: 'SUPPORTED',
  version: '',
  min_version: '',
  updated: '2011-01-21T11:33:21Z',
  links: [{ rel: 'self', href: `${baseUrl}/v2/` }],
});

describe('discovery needs no token', () => {
  it('at the root, with every version', async () => {
    const response = await compute.client.get('/');
    expect([response.status, response.body]).toEqual([
      200,
      { versions: [first(compute.client.baseUrl), version(compute.client.baseUrl)] },
    ]);
  });

  it.each(['/v2.1', '/v2.1/'])('at %s, with this one', async (path) => {
    const response = await compute.client.get(path);
    expect([response.status, response.body]).toEqual([
      200,
      {
        version: {
          ...version(compute.client.baseUrl),
          'media-types': [
            {
              base: 'application/json',
              type: 'application/vnd.openstack.compute+json;version=2.1',
            },
          ],
        },
      },
    ]);
  });

  it('at /v2/, with the first one, whose operations are the same', async () => {
    const response = await compute.client.get('/v2/');
    expect(response.body).toMatchObject({ version: first(compute.client.baseUrl) });
    const path = `/v2/${compute.projectId}/flavors/1`;
    const flavor = await compute.client.get(path, { token: compute.token });
    expect(flavor.body).toMatchObject({ flavor: { name: 'm1.tiny' } });
  });

  it('at /docs-json, with every operation', async () => {
    const response = await compute.client.get('/docs-json');
    expect(response.body).toMatchObject({
      openapi: expect.stringMatching(/^3\./),
      paths: { '/servers': { get: {}, post: {} }, '/servers/{server_id}/action': { post: {} } },
    });
  });

  it('links to the address that clients use, where one is set', async () => {
    const behind = await startCompute({ config: { publicUrl: 'https://cloud.example/compute' } });
    try {
      expect((await behind.client.get('/')).body).toEqual({
        versions: [
          first('https://cloud.example/compute'),
          version('https://cloud.example/compute'),
        ],
      });
    } finally {
      await behind.stop();
    }
  });
});

describe('a microversion', () => {
  it.each<[string, Record<string, string>, string]>([
    ['none', {}, '2.1'],
    ['the standard header', { 'OpenStack-API-Version': 'compute 2.47' }, '2.47'],
    ['the older header', { 'X-OpenStack-Nova-API-Version': '2.53' }, '2.53'],
    ['latest', { 'OpenStack-API-Version': 'compute latest' }, '2.104'],
    ["another service's", { 'OpenStack-API-Version': 'volume 3.60' }, '2.1'],
  ])('requested by %s is named in the answer', async (_, headers, expected) => {
    const response = await compute.client.get('/flavors', { token: compute.token, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('openstack-api-version')).toBe(`compute ${expected}`);
    expect(response.headers.get('x-openstack-nova-api-version')).toBe(expected);
    expect(response.headers.get('vary')).toBe(
      'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
    );
  });

  it.each([
    [
      'two',
      400,
      'badRequest',
      "API Version String 'two' is of invalid format. It must be of format MajorNum.MinorNum.",
    ],
    [
      '2.105',
      406,
      'notAcceptable',
      'Version 2.105 is not supported by the API. Minimum is 2.1 and maximum is 2.104.',
    ],
    [
      '2.0',
      406,
      'notAcceptable',
      'Version 2.0 is not supported by the API. Minimum is 2.1 and maximum is 2.104.',
    ],
    [
      '3.1',
      406,
      'notAcceptable',
      'Version 3.1 is not supported by the API. Minimum is 2.1 and maximum is 2.104.',
    ],
  ])('%s is refused, before anything else', async (asked, code, key, message) => {
    const response = await compute.client.get('/flavors', {
      headers: { 'OpenStack-API-Version': `compute ${asked}` },
    });
    expect([response.status, response.body]).toEqual([code, { [key]: { code, message } }]);
  });
});

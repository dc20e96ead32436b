import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());

const get = (path: string, version?: string) =>
  secrets.client.get(
    path,
    version === undefined ? {} : { headers: { 'OpenStack-API-Version': `key-manager ${version}` } },
  );
const links = () => [
  { rel: 'self', href: `${secrets.client.baseUrl}/v1/` },
  { rel: 'describedby', type: 'text/html', href: expect.any(String) },
];
const media = {
  base: 'application/json',
  type: 'application/vnd.openstack.key-manager-v1+json',
};

describe('the versions', () => {
  it('have the form from before microversions by default', async () => {
    const v1 = { id: 'v1', status: 'stable', links: links(), 'media-types': [media] };
    const { status, body, headers } = await get('/');
    expect([status, body]).toEqual([300, { versions: { values: [v1] } }]);
    expect(headers.get('OpenStack-API-Version')).toBe('key-manager 1.0');
    expect((await get('/v1/', '1.0')).body).toEqual({ version: v1 });
  });

  it.each(['1.1', '1.2', 'latest'])('have their range since 1.1: %s', async (version) => {
    const v1 = {
      id: 'v1',
      status: 'CURRENT',
      links: links(),
      min_version: '1.0',
      max_version: '1.2',
    };
    expect((await get('/', version)).body).toEqual({ versions: [v1] });
    expect((await get('/v1', version)).body).toEqual({ version: v1 });
  });

  it.each([
    ['1.3', 406],
    ['2.0', 406],
    ['0.9', 400],
    ['one', 400],
  ])('are not %s', async (version, status) => {
    expect(errorOf(await get('/v1', version))[0]).toBe(status);
  });
});

it.each(['', '/global-default', '/preferred', '/some'])(
  'GET /v1/secret-stores%s answers as Barbican with one backend',
  async (path) => {
    expect(errorOf(await secrets.send('GET', `/secret-stores${path}`))).toEqual([
      404,
      'Multiple backends support is not enabled in service configuration.',
    ]);
  },
);

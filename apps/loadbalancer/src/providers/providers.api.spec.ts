import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { HAPROXY_FLAVOR, HAPROXY_ZONE, type Capability } from './capabilities.js';
import { OvnOffer, Providers } from './providers.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());

const get = async (path: string, token = fixture.admin): Promise<readonly [number, unknown]> => {
  const { status, body } = await fixture.client.get(`/v2/lbaas/providers${path}`, { token });
  return [status, body];
};

describe('providers', () => {
  it('include the names that Octavia clients know', async () => {
    const description = 'An alias of haproxy.';
    const providers = [
      { name: 'haproxy', description: 'HAProxy on a host of the platform.' },
      { name: 'amphora', description },
      { name: 'octavia', description },
    ];
    expect(await get('', fixture.reader)).toEqual([200, { providers }]);
    const names = providers.map(({ name }) => ({ name }));
    expect(await get('?fields=name', fixture.reader)).toEqual([200, { providers: names }]);
  });

  it('have only their own names if a setting says so', async () => {
    const providers = new Providers({ amphoraNames: false }, new OvnOffer(fixture.networks));
    const all = await providers.all(fixture.ctx);
    expect(all.map(({ name }) => name)).toEqual(['haproxy']);
    await expect(providers.get(fixture.ctx, 'amphora')).rejects.toThrow(
      "Provider 'amphora' is not enabled.",
    );
  });
});

describe.each([
  ['flavor_capabilities', HAPROXY_FLAVOR, 'threads'],
  ['availability_zone_capabilities', HAPROXY_ZONE, 'compute_zone'],
])('%s', (kind, table, one) => {
  it('are the attributes that profiles may use', async () => {
    const all = Object.entries<Capability>(table).map(([name, { about }]) => ({
      name,
      description: about,
    }));
    expect(await get(`/haproxy/${kind}`)).toEqual([200, { [kind]: all }]);
    expect(await get(`/octavia/${kind}`)).toEqual([200, { [kind]: all }]);
  });

  it('can be filtered, and shown by fields', async () => {
    expect(await get(`/haproxy/${kind}?name=${one}&fields=name`)).toEqual([
      200,
      { [kind]: [{ name: one }] },
    ]);
    expect(await get(`/haproxy/${kind}?description=none`)).toEqual([200, { [kind]: [] }]);
  });

  it('are shown to administrators, for known providers', async () => {
    expect((await get(`/haproxy/${kind}`, fixture.member))[0]).toBe(403);
    expect(await get(`/vendor/${kind}`)).toMatchObject([
      400,
      { NetworkError: { type: 'ProviderNotEnabled' } },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());

const KINDS = [
  {
    path: 'flavorprofiles',
    singular: 'flavorprofile',
    data: 'flavor_data',
    valid: '{"loadbalancer_topology": "SINGLE", "threads": 2}',
    other: '{"threads": 4}',
    title: 'Flavor profile',
    of: 'flavors',
    one: 'flavor',
    ref: 'flavor_profile_id',
  },
  {
    path: 'availabilityzoneprofiles',
    singular: 'availability_zone_profile',
    data: 'availability_zone_data',
    valid: '{"compute_zone": "north"}',
    other: '{}',
    title: 'Availability Zone Profile',
    of: 'availabilityzones',
    one: 'availability_zone',
    ref: 'availability_zone_profile_id',
  },
];

describe.each(KINDS)('/v2.0/lbaas/$path', (kind) => {
  const { path, singular, data, valid, other } = kind;
  type Wire = Readonly<Record<string, unknown>> & { readonly id: string };

  const send = (
    method: string,
    where: string,
    body?: unknown,
    token = fixture.admin,
  ): Promise<TestResponse> => fixture.client.send(method, `/v2.0/lbaas/${where}`, { token, body });

  const post = (wire: object, token?: string): Promise<TestResponse> =>
    send('POST', path, { [singular]: wire }, token);

  const create = async (wire: object = {}): Promise<Wire> => {
    const given = { name: 'a', provider_name: 'haproxy', [data]: valid, ...wire };
    const { status, body } = await post(given);
    expect(status).toBe(201);
    return (body as Record<string, Wire>)[singular] as Wire;
  };
  const list = async (query: string): Promise<Wire[]> => {
    const { body } = await send('GET', `${path}?${query}`);
    return (body as Record<string, Wire[]>)[`${singular}s`] ?? [];
  };

  it('can be created, shown, changed and deleted, with their data unchanged', async () => {
    const made = await create();
    const { id } = made;
    expect(made).toEqual({ id, name: 'a', provider_name: 'haproxy', [data]: valid });
    expect((await send('GET', `${path}/${id}`)).body).toEqual({ [singular]: made });
    const change = { name: 'b', provider_name: 'octavia', [data]: other };
    const changed = await send('PUT', `${path}/${id}`, { [singular]: change });
    expect([changed.status, changed.body]).toEqual([200, { [singular]: { id, ...change } }]);
    expect((await send('DELETE', `${path}/${id}`)).status).toBe(204);
    const gone = await send('GET', `${path}/${id}`);
    expect(gone.status).toBe(404);
    expect(gone.body).toMatchObject({ faultstring: `${kind.title} ${id} not found.` });
    expect((await send('DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await send('DELETE', `${path}/no-id`)).body).toMatchObject({
      faultstring: `${kind.title} no-id not found.`,
    });
  });

  it('are listed by id by default, and can be sorted, filtered and paged', async () => {
    const mark = newId();
    const made = [];
    for (const name of ['1', '2', '3'])
      made.push(await create({ name: `${mark}-${name}`, provider_name: 'amphora' }));
    const ids = made.map(({ id }) => id);
    const listed = (await list('provider_name=amphora')).map(({ id }) => id);
    expect(listed).toEqual([...ids].sort());
    const down = await list(`sort=name:desc&provider_name=amphora&fields=name&limit=2`);
    expect(down).toEqual([{ name: `${mark}-3` }, { name: `${mark}-2` }]);
    expect(await list(`name=${mark}-2`)).toEqual([made[1]]);
    const after = await list(`sort=name:asc&provider_name=amphora&marker=${ids[1] ?? ''}`);
    expect(after).toEqual([made[2]]);
    expect((await send('GET', `${path}?marker=${newId()}`)).status).toBe(400);
  });

  it.each([
    [400, { provider_name: 'vendor' }, 'ProviderNotEnabled'],
    [400, { [data]: 'no JSON' }, 'InvalidOption'],
    [400, { [data]: '[]' }, 'InvalidOption'],
    [501, { [data]: '{"colour": 1}' }, 'ProviderUnsupportedOption'],
    [501, { [data]: '{"toString": 1}' }, 'ProviderUnsupportedOption'],
    [400, { name: 'n'.repeat(256) }, 'HTTPBadRequest'],
    [400, { name: undefined }, 'HTTPBadRequest'],
    [400, { [data]: undefined }, 'HTTPBadRequest'],
    [400, { tags: ['a'] }, 'HTTPBadRequest'],
  ])('are refused with %i: %j', async (status, wire, type) => {
    const answer = await post({
      name: 'a',
      provider_name: 'haproxy',
      [data]: valid,
      ...wire,
    });
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ NetworkError: expect.objectContaining({ type }) as unknown }),
    ]);
  });

  it('cannot change while they are in use, except for their name', async () => {
    const { id } = await create();
    const user = { name: newId(), [kind.ref]: id };
    expect((await send('POST', kind.of, { [kind.one]: user })).status).toBe(201);
    const change = (wire: object): Promise<TestResponse> =>
      send('PUT', `${path}/${id}`, { [singular]: wire });
    const message = `${kind.title} ${id} is in use and cannot be modified.`;
    for (const wire of [{ [data]: other }, { provider_name: 'amphora' }]) {
      const { status, body } = await change(wire);
      expect([status, body]).toMatchObject([409, { faultstring: message }]);
    }
    expect((await change({ name: 'c', [data]: valid })).status).toBe(200);
    const removed = await send('DELETE', `${path}/${id}`);
    expect([removed.status, removed.body]).toMatchObject([409, { faultstring: message }]);
  });

  it('are visible to administrators only', async () => {
    const { id } = await create();
    const { member } = fixture;
    for (const [method, where] of [
      ['GET', path],
      ['GET', `${path}/${id}`],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
    ] as const)
      expect((await send(method, where, undefined, member)).status).toBe(403);
    expect((await post({}, member)).status).toBe(403);
  });
});

it.each([
  ['{"loadbalancer_topology": "ACTIVE_STANDBY"}', 'loadbalancer_topology'],
  ['{"threads": 0}', 'threads'],
  ['{"threads": "many"}', 'threads'],
  ['{"connection_limit": null}', 'connection_limit'],
])('a flavor that haproxy does not support is refused by name: %s', async (data, name) => {
  const { status, body } = await fixture.client.post('/v2.0/lbaas/flavorprofiles', {
    token: fixture.admin,
    body: { flavorprofile: { name: 'a', provider_name: 'amphora', flavor_data: data } },
  });
  const refused = `Provider 'amphora' does not support a requested option: ${name} '`;
  expect(status).toBe(501);
  expect((body as { faultstring: string }).faultstring).toContain(refused);
});

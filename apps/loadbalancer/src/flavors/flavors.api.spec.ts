import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());

/** What flavors and availability zones have in common. */
const KINDS = [
  {
    path: 'flavors',
    singular: 'flavor',
    title: 'Flavor',
    key: 'id',
    profiles: 'flavorprofiles',
    profile: 'flavorprofile',
    data: 'flavor_data',
    ref: 'flavor_profile_id',
    what: 'flavor',
    option: 'flavor_id',
  },
  {
    path: 'availabilityzones',
    singular: 'availability_zone',
    title: 'Availability Zone',
    key: 'name',
    profiles: 'availabilityzoneprofiles',
    profile: 'availability_zone_profile',
    data: 'availability_zone_data',
    ref: 'availability_zone_profile_id',
    what: 'availability zone',
    option: 'availability_zone',
  },
];

describe.each(KINDS)('/v2.0/lbaas/$path', (kind) => {
  const { path, singular, ref, key } = kind;
  type Wire = Readonly<Record<string, unknown>> & { readonly name: string };
  let profileId: string;

  const send = (
    method: string,
    where: string,
    body?: unknown,
    token = fixture.admin,
  ): Promise<TestResponse> => fixture.client.send(method, `/v2.0/lbaas/${where}`, { token, body });

  const post = (wire: object, token?: string): Promise<TestResponse> =>
    send('POST', path, { [singular]: wire }, token);

  const create = async (wire: object = {}): Promise<Wire> => {
    const { status, body } = await post({ name: newId(), [ref]: profileId, ...wire });
    expect(status).toBe(201);
    return (body as Record<string, Wire>)[singular] as Wire;
  };
  const at = (wire: Wire): string => `${path}/${String(wire[key])}`;

  const list = async (query: string): Promise<Wire[]> => {
    const { body } = await send('GET', `${path}?${query}`, undefined, fixture.reader);
    return (body as Record<string, Wire[]>)[`${singular}s`] ?? [];
  };

  beforeEach(async () => {
    const profile = { name: 'p', provider_name: 'haproxy', [kind.data]: '{}' };
    const { body } = await send('POST', kind.profiles, { [kind.profile]: profile });
    profileId = (body as Record<string, { id: string }>)[kind.profile]?.id ?? '';
  });

  it('can be created, shown to all, changed and deleted', async () => {
    const made = await create({ description: 'fast' });
    expect(made).toMatchObject({ description: 'fast', enabled: true, [ref]: profileId });
    const shown = await send('GET', at(made), undefined, fixture.reader);
    expect(shown.body).toEqual({ [singular]: made });
    const change = { description: null, enabled: false };
    const { status, body } = await send('PUT', at(made), { [singular]: change });
    expect([status, body]).toEqual([200, { [singular]: { ...made, ...change } }]);
    expect((await send('DELETE', at(made))).status).toBe(204);
    const gone = await send('GET', at(made));
    expect([gone.status, gone.body]).toMatchObject([
      404,
      { faultstring: `${kind.title} ${String(made[key])} not found.` },
    ]);
    expect((await send('PUT', at(made), { [singular]: change })).status).toBe(404);
  });

  it('are listed by id by default, and can be sorted, filtered and paged', async () => {
    const mark = newId();
    const made = [];
    for (const [name, enabled] of [
      ['1', true],
      ['2', false],
      ['3', true],
    ] as const)
      made.push(await create({ name: `${mark}${name}`, description: mark, enabled }));
    const keys = (wires: readonly Wire[]): unknown[] => wires.map((wire) => wire[key]);
    expect(keys(await list(`description=${mark}`))).toEqual(keys(made).sort());
    expect(await list(`name=${mark}2`)).toEqual([made[1]]);
    const query = `description=${mark}&enabled=True&fields=name&sort=name:desc`;
    expect(await list(query)).toEqual([{ name: `${mark}3` }, { name: `${mark}1` }]);
    const page = `description=${mark}&sort=name:asc&limit=1&marker=${String(made[0]?.[key])}`;
    expect(await list(page)).toEqual([made[1]]);
  });

  it('have unique names', async () => {
    const { name } = await create();
    const { status, body } = await post({ name, [ref]: profileId });
    expect([status, body]).toMatchObject([
      409,
      { faultstring: `A ${kind.what} of ${name} already exists.` },
    ]);
  });

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['a name that is too long', { name: 'n'.repeat(256) }],
    ['no profile', { [ref]: undefined }],
    ['an invalid profile', { [ref]: 'bogus' }],
    ['a missing profile', { [ref]: randomUUID() }],
    ['tags', { tags: ['a'] }],
    ['a null enabled flag', { enabled: null }],
  ])('are refused with %s', async (_, wire) => {
    expect((await post({ name: newId(), [ref]: profileId, ...wire })).status).toBe(400);
  });

  it('cannot change their profile', async () => {
    const made = await create();
    const answer = await send('PUT', at(made), { [singular]: { [ref]: profileId } });
    expect(answer.status).toBe(400);
  });

  it('cannot be deleted while a load balancer uses them', async () => {
    const made = await create();
    const { id } = await fixture.createLoadBalancer({ [kind.option]: made[key] });
    const { status, body } = await send('DELETE', at(made));
    const message = `${kind.title} ${String(made[key])} is in use and cannot be modified.`;
    expect([status, body]).toMatchObject([409, { faultstring: message }]);
    const token = fixture.member;
    await fixture.client.delete(`/v2/lbaas/loadbalancers/${id}`, { token });
    await fixture.settle();
    expect((await send('DELETE', at(made))).status).toBe(204);
  });

  it('can be changed only by administrators', async () => {
    const made = await create();
    const { member } = fixture;
    expect((await post({}, member)).status).toBe(403);
    for (const method of ['PUT', 'DELETE'])
      expect((await send(method, at(made), undefined, member)).status).toBe(403);
  });

  it('can be used for new load balancers only if they are enabled', async () => {
    const made = await create();
    const ask = (value: unknown, provider?: string): Promise<unknown> =>
      fixture.createLoadBalancer({ [kind.option]: value, provider: provider ?? null }).then(
        (one) => [one['provider'], one[kind.option]],
        (error: unknown) => (error as Error).message,
      );
    expect(await ask(made[key])).toEqual(['haproxy', made[key]]);
    expect(await ask(made[key], 'octavia')).toEqual(['octavia', made[key]]);
    expect(await ask(randomUUID())).toContain(`Validation failure: Invalid ${kind.option}.`);
    await send('PUT', at(made), { [singular]: { enabled: false } });
    expect(await ask(made[key])).toContain('is not allowed in this deployment');
  });
});

it('limits the load balancers that use it', async () => {
  const ask = async (path: string, name: string, wire: object): Promise<string> => {
    const body = { [name]: wire };
    const answer = await fixture.client.post(`/v2/lbaas/${path}`, { token: fixture.admin, body });
    return (answer.body as Record<string, { id: string }>)[name]?.id ?? '';
  };
  const profile = await ask('flavorprofiles', 'flavorprofile', {
    name: 'p',
    provider_name: 'octavia',
    flavor_data: '{"threads": 4, "connection_limit": 50, "loadbalancer_topology": "SINGLE"}',
  });
  const flavor = { name: newId(), flavor_profile_id: profile };
  const flavor_id = await ask('flavors', 'flavor', flavor);
  const limitsOf = ({ id }: { readonly id: string }): unknown =>
    fixture.dataPlane.running.get(id)?.spec.limits;
  const made = await fixture.createLoadBalancer({ flavor_id });
  expect(made).toMatchObject({ flavor_id, provider: 'octavia' });
  expect(limitsOf(made)).toEqual({ threads: 4, connections: 50 });
  expect(limitsOf(await fixture.createLoadBalancer())).toEqual({});
});

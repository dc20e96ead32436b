import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';

let network: NetworkFixture;
let project: string;
let token: string;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaRouters: 1 } });
});
afterAll(() => network.stop());
beforeEach(async () => {
  project = newId();
  token = await network.tokens.issue(['member'], { projectId: project });
});

const path = (id = project): string => `/v2.0/auto-allocated-topology/${id}`;
const get = (id?: string, as = token) => network.client.get(path(id), { token: as });
const remove = (as = token) => network.client.delete(path(), { token: as });
const idOf = ({ body }: { readonly body: unknown }): string =>
  (body as { auto_allocated_topology: { id: string } }).auto_allocated_topology.id;

describe('in a cloud without an external network', () => {
  it('is refused with the missing part, and leaves nothing behind', async () => {
    const answer = await get();
    expect([refusalOf(answer), messageOf(answer)]).toEqual([
      [409, 'AutoAllocationFailure'],
      'Deployment error: No default router:external network.',
    ]);
    await network.create('networks', { 'router:external': true, is_default: true }, network.admin);
    const next = await get(`${project}?fields=dry-run`);
    expect(messageOf(next)).toBe('Deployment error: No default subnetpools defined.');
    expect(await network.list('networks?router:external=false', token)).toEqual([]);
  });

  it('refuses a second default network', async () => {
    const [first] = await network.list('networks?is_default=true', network.admin);
    const one = { 'router:external': true };
    const { id } = await network.create('networks', one, network.admin);
    for (const answer of [
      await network.client.post('/v2.0/networks', {
        token: network.admin,
        body: { network: { ...one, is_default: true } },
      }),
      await network.client.put(`/v2.0/networks/${id}`, {
        token: network.admin,
        body: { network: { is_default: true } },
      }),
    ])
      expect([refusalOf(answer), messageOf(answer)]).toEqual([
        [409, 'DefaultExternalNetworkExists'],
        `A default external network already exists: ${first?.id}.`,
      ]);
  });
});

describe('in a cloud with an external network', () => {
  let outside: Wire;

  beforeAll(async () => {
    const [found] = await network.list('networks?is_default=true', network.admin);
    if (!found) throw new Error('there is no default network');
    outside = found;
    const subnet = { network_id: outside.id, ip_version: 4, cidr: '203.0.113.0/24' };
    await network.create('subnets', subnet, network.admin);
    for (const [prefix, length] of [
      ['10.0.0.0/16', 24],
      ['fd00::/48', 64],
    ] as const)
      await network.create(
        'subnetpools',
        {
          name: prefix,
          prefixes: [prefix],
          default_prefixlen: length,
          is_default: true,
          shared: true,
        },
        network.admin,
      );
  });

  it('is a network with a subnet of each default pool, behind a router', async () => {
    const dry = await get(`${project}?fields=dry-run`);
    expect(idOf(dry)).toBe('dry-run=pass');
    expect(await network.list('routers', token)).toEqual([]);
    const answer = await get();
    expect(answer.body).toEqual({
      auto_allocated_topology: { id: idOf(answer), project_id: project, tenant_id: project },
    });
    expect(await network.show('networks', idOf(answer), token)).toMatchObject({
      name: 'auto_allocated_network',
      project_id: project,
      admin_state_up: true,
    });
    const [router] = await network.list('routers', token);
    expect(router).toMatchObject({
      name: 'auto_allocated_router',
      external_gateway_info: { network_id: outside.id },
    });
    const ports = await network.list(`ports?device_id=${router?.id}`, token);
    const subnets = await network.list(`subnets?network_id=${idOf(answer)}`, token);
    expect(subnets.map(({ name }) => name).sort()).toEqual([
      'auto_allocated_subnet_v4',
      'auto_allocated_subnet_v6',
    ]);
    const attached = ports.flatMap((port) => port.fixed_ips.map(({ subnet_id }) => subnet_id));
    expect(attached).toEqual(expect.arrayContaining(subnets.map(({ id }) => id)));
  });

  it('is created once for concurrent requests, and available as `None` too', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => get()));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set([...answers, await get('None')].map(idOf)).size).toBe(1);
    expect(await network.list('networks?name=auto_allocated_network', token)).toHaveLength(1);
  });

  it("is not created by a request for another project's topology", async () => {
    for (const answer of [
      await get(newId()),
      await network.client.delete(path(newId()), { token }),
    ])
      expect(refusalOf(answer)).toEqual([404, 'HTTPNotFound']);
  });

  it('is created for a project by its administrator and by another service', async () => {
    const answer = await get(project, network.service);
    expect(answer.status).toBe(200);
    expect(await network.show('networks', idOf(answer), token)).toMatchObject({
      project_id: project,
    });
    expect(idOf(await get(project, network.admin))).toBe(idOf(answer));
  });

  it('refuses unknown fields', async () => {
    const answer = await get(`${project}?fields=id`);
    expect([refusalOf(answer), messageOf(answer)]).toEqual([
      [400, 'BadRequest'],
      'Bad auto_allocate request: Unrecognized field.',
    ]);
  });

  it('is not created in part if a quota is exceeded', async () => {
    await network.create('routers', {}, token);
    expect(refusalOf(await get())).toEqual([413, 'OverQuota']);
    expect(await network.list('networks?router:external=false', token)).toEqual([]);
  });

  it('is deleted as a whole, but not while others use its network', async () => {
    const id = idOf(await get());
    const port = await network.create('ports', { network_id: id }, token);
    expect(refusalOf(await remove())).toEqual([409, 'NetworkInUse']);
    expect(await network.list('routers', token)).toHaveLength(1);
    await network.client.delete(`/v2.0/ports/${port.id}`, { token });
    for (let time = 0; time < 2; time += 1) expect((await remove()).status).toBe(204);
    expect(await network.list('routers', token)).toEqual([]);
    expect(await network.list('networks?router:external=false', token)).toEqual([]);
    expect(idOf(await get())).not.toBe(id);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';
import { AgentsSweep } from './agents.sweep.js';

/** The format of times in Neutron's agents. */
const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

let network: NetworkFixture;
let hosts: NetworkFixture['dataPlane']['simulatedHosts'];

const follow = () => new AgentsSweep(network.dataPlane).follow(network.ctx);
const list = (query = '', token = network.admin) => network.list(`agents${query}`, token);
const names = async (query: string) => (await list(query)).map(({ host }) => host);
const agentOf = async (host: string): Promise<Wire> => {
  const [agent] = await list(`?host=${host}`);
  if (!agent) throw new Error(`there is no agent of ${host}`);
  return agent;
};
const put = (id: string, agent: object, token = network.admin) =>
  network.client.put(`/v2.0/agents/${id}`, { token, body: { agent } });
const remove = (id: string, token = network.admin) =>
  network.client.delete(`/v2.0/agents/${id}`, { token });

const silent = async (host: string): Promise<void> => {
  hosts.set(host, { ...hosts.get(host), seenAt: new Date(0) });
  await follow();
  await network.ctx.manager.query(
    `UPDATE agents SET heartbeat_at = heartbeat_at - interval '76 seconds' WHERE host = $1`,
    [host],
  );
};

beforeAll(async () => {
  network = await startNetwork();
  hosts = network.dataPlane.simulatedHosts;
});
afterAll(() => network.stop());
beforeEach(async () => {
  hosts.clear();
  hosts.set('one', {
    agentType: 'OVN Controller Gateway agent',
    binary: 'ovn-controller',
    bridgeMappings: { public: 'br-ex' },
    availabilityZones: ['east', 'nova'],
    datapathType: 'netdev',
    networkNamespace: 'cumulet-1',
  });
  hosts.set('two', { agentType: 'OVN Controller agent', availabilityZones: ['west'] });
  await network.ctx.manager.query('DELETE FROM agents');
  await follow();
});

describe('agents', () => {
  it('are one for each host, as the host describes itself', async () => {
    expect(await agentOf('one')).toEqual({
      id: expect.any(String),
      host: 'one',
      topic: 'n/a',
      description: '',
      agent_type: 'OVN Controller Gateway agent',
      binary: 'ovn-controller',
      alive: true,
      admin_state_up: true,
      availability_zone: 'east, nova',
      created_at: TIME,
      started_at: TIME,
      heartbeat_timestamp: TIME,
      configurations: {
        bridge_mappings: { public: 'br-ex' },
        datapath_type: 'netdev',
        network_namespace: 'cumulet-1',
      },
    });
  });

  it.each([
    ['', ['one', 'two']],
    ['?agent_type=OVN Controller agent', ['two']],
    ['?availability_zone=nova', ['one']],
    ['?admin_state_up=false', []],
    ['?alive=true&sort_key=host&sort_dir=desc', ['two', 'one']],
    ['?sort_key=host&sort_dir=asc&limit=1', ['one']],
  ])('are listed by %j', async (query, expected) => {
    const found = await names(query);
    expect(query.includes('sort') ? found : found.sort()).toEqual(expected);
  });

  it('are visible to administrators only', async () => {
    const { id } = await agentOf('one');
    expect(await list('', network.member)).toEqual([]);
    const shown = await network.client.get(`/v2.0/agents/${id}`, { token: network.member });
    expect(refusalOf(shown)).toEqual([404, 'AgentNotFound']);
    expect((await put(id, { description: 'mine' }, network.member)).status).toBe(403);
    expect((await remove(id, network.member)).status).toBe(403);
  });

  it("are visible to other services, which need the location of guests' devices", async () => {
    const { id } = await agentOf('one');
    const shown = await network.client.get(`/v2.0/agents/${id}`, { token: network.service });
    expect(shown.body).toMatchObject({
      agent: { configurations: { network_namespace: 'cumulet-1' } },
    });
  });

  it('are dead 75 seconds after their last heartbeat, and alive after the next', async () => {
    await silent('two');
    expect(await names('?alive=false')).toEqual(['two']);
    await follow();
    expect(await names('?alive=false')).toEqual(['two']);
    hosts.set('two', { ...hosts.get('two'), seenAt: new Date() });
    await follow();
    expect((await agentOf('two')).alive).toBe(true);
  });

  it('are dead at once when their host deregisters', async () => {
    hosts.delete('two');
    await follow();
    expect(await names('?alive=false')).toEqual(['two']);
  });

  it('keep their description, and are always up', async () => {
    const { id } = await agentOf('one');
    expect((await put(id, { description: 'rack 1', admin_state_up: true })).status).toBe(200);
    await follow();
    expect((await agentOf('one')).description).toBe('rack 1');
    expect(refusalOf(await put(id, { admin_state_up: false }))).toEqual([400, 'BadRequest']);
    expect(refusalOf(await put(id, { host: 'x' }))).toEqual([400, 'HTTPBadRequest']);
    expect(refusalOf(await put(newId(), { description: '' }))).toEqual([404, 'AgentNotFound']);
  });

  it('are deleted until their host sends a heartbeat', async () => {
    const { id } = await agentOf('two');
    expect((await remove(id)).status).toBe(204);
    expect(await names('')).toEqual(['one']);
    expect(refusalOf(await remove(id))).toEqual([404, 'AgentNotFound']);
    await follow();
    expect((await agentOf('two')).id).not.toBe(id);
    await remove((await agentOf('two')).id);
    hosts.delete('two');
    await follow();
    expect(await names('')).toEqual(['one']);
  });
});

describe('availability zones', () => {
  const zones = async (query = '') =>
    (await network.list(`availability_zones${query}`)).map(
      ({ name, resource, state }) => `${String(resource)} ${String(name)} ${String(state)}`,
    );

  it('are those of hosts, and available while one of these is alive', async () => {
    await silent('two');
    expect(await zones()).toEqual([
      'network east available',
      'network nova available',
      'network west unavailable',
      'router east available',
      'router nova available',
      'router west unavailable',
    ]);
    expect(await zones('?resource=router&state=available&name=nova&name=west')).toEqual([
      'router nova available',
    ]);
  });

  it.each(['networks', 'routers'] as const)(
    'are the requested zones of %s, as far as they exist',
    async (of) => {
      const asked = await network.create(of, { availability_zone_hints: ['west'] });
      expect(asked).toMatchObject({
        availability_zone_hints: ['west'],
        availability_zones: ['west'],
      });
      const [key, token] = [of.slice(0, -1), network.member];
      const body = { [key]: { availability_zone_hints: ['nova', 'nowhere'] } };
      const refused = await network.client.post(`/v2.0/${of}`, { token, body });
      expect(refusalOf(refused)).toEqual([404, 'AvailabilityZoneNotFound']);
      const change = { [key]: { availability_zone_hints: [] } };
      const changed = await network.client.put(`/v2.0/${of}/${asked.id}`, { token, body: change });
      expect(refusalOf(changed)).toEqual([400, 'HTTPBadRequest']);
    },
  );

  it('are sent to the data plane with a router', async () => {
    const { id } = await network.create('routers', { availability_zone_hints: ['east'] });
    await network.settle();
    expect(network.dataPlane.routers.get(id)?.availabilityZones).toEqual(['east']);
  });
});

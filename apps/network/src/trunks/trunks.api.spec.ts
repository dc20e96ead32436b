import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaPorts: -1 } });
});
afterAll(() => network.stop());

const newPort = async (fields: object = {}, token = network.member): Promise<Wire> => {
  const { id: network_id } = await network.create('networks', {}, token);
  return network.create('ports', { network_id, ...fields }, token);
};
const vlan = (port: Wire, segmentation_id: number) => ({
  port_id: port.id,
  segmentation_type: 'vlan',
  segmentation_id,
});
const post = (fields: object, token = network.member) =>
  network.client.post('/v2.0/trunks', { token, body: { trunk: fields } });
it('a trunk accepts at most 4,094 subports in a request', async () => {
  const { body } = await network.client.post('/v2.0/trunks', {
    token: network.member,
    body: { trunk: { port_id: randomUUID(), sub_ports: Array(4_095).fill({}) as object[] } },
  });
  expect(JSON.stringify(body)).toContain('the list has more than 4094 items');
});

const act = (id: string, verb: string, sub_ports: unknown, at = network) =>
  at.client.put(`/v2.0/trunks/${id}/${verb}`, { token: network.member, body: { sub_ports } });
const put = (id: string, fields: object) =>
  network.client.put(`/v2.0/trunks/${id}`, { token: network.member, body: { trunk: fields } });
const remove = (path: string) => network.client.delete(`/v2.0/${path}`, { token: network.member });
const bind = (port: Wire, host: string) =>
  network.client.put(`/v2.0/ports/${port.id}`, {
    token: network.admin,
    body: { port: { 'binding:host_id': host, device_id: 'guest' } },
  });
const shown = (port: Wire) => network.show('ports', port.id);

describe('a trunk', () => {
  it('carries the packets of its subports, which show their trunk', async () => {
    const [parent, one] = [await newPort(), await newPort()];
    const trunk = await network.create('trunks', {
      name: 'all',
      port_id: parent.id,
      sub_ports: [vlan(one, 7)],
    });
    expect(trunk).toMatchObject({
      name: 'all',
      admin_state_up: true,
      status: 'DOWN',
      port_id: parent.id,
      sub_ports: [vlan(one, 7)],
    });
    expect(await shown(parent)).toMatchObject({
      trunk_details: {
        trunk_id: trunk.id,
        sub_ports: [{ ...vlan(one, 7), mac_address: one['mac_address'] }],
      },
    });
    const subport = await network.show('ports', one.id, network.admin);
    expect(subport).toMatchObject({
      device_owner: 'trunk:subport',
      'binding:profile': { parent_name: parent.id, tag: 7 },
    });
    expect(subport).not.toHaveProperty('trunk_details');
    await network.settle();
    expect(network.dataPlane.ports.get(one.id)?.parent).toEqual({ portId: parent.id, tag: 7 });
  });

  it('is ACTIVE with its ports', async () => {
    const [parent, one] = [await newPort(), await newPort()];
    const { id } = await network.create('trunks', {
      port_id: parent.id,
      sub_ports: [vlan(one, 7)],
    });
    await network.settle();
    // A subport goes up and down with its parent, which the data plane reports apart from jobs.
    const isShown = (status: string): Promise<void> =>
      eventually(`its subport is ${status}`, async () => (await shown(one))['status'] === status);
    await bind(parent, 'here');
    await network.settle();
    await isShown('ACTIVE');
    expect(await network.show('trunks', id)).toMatchObject({ status: 'ACTIVE' });
    expect(await network.list('trunks?status=ACTIVE')).toMatchObject([{ id }]);
    await bind(parent, '');
    await network.settle();
    expect(await network.show('trunks', id)).toMatchObject({ status: 'DOWN' });
    await isShown('DOWN');
  });

  it('gains and loses subports', async () => {
    const [parent, one, two] = [await newPort(), await newPort(), await newPort()];
    const { id } = await network.create('trunks', { port_id: parent.id });
    const added = await act(id, 'add_subports', [vlan(one, 7), vlan(two, 8)]);
    expect(added.body).toMatchObject({ id, sub_ports: [vlan(one, 7), vlan(two, 8)] });
    const listed = await network.list(`trunks/${id}/get_subports`);
    expect(listed).toEqual([vlan(one, 7), vlan(two, 8)]);
    const left = await act(id, 'remove_subports', [{ port_id: one.id }]);
    expect(left.body).toMatchObject({ sub_ports: [vlan(two, 8)], revision_number: 2 });
    await network.settle();
    expect(network.dataPlane.ports.get(one.id)?.parent).toBeNull();
    expect(await network.show('ports', one.id, network.admin)).toMatchObject({
      device_owner: '',
      'binding:profile': {},
    });
  });

  it('releases its ports when it is deleted, and keeps them until then', async () => {
    const [parent, one] = [await newPort(), await newPort()];
    const { id } = await network.create('trunks', {
      port_id: parent.id,
      sub_ports: [vlan(one, 7)],
    });
    const kept = [await remove(`ports/${parent.id}`), await remove(`ports/${one.id}`)];
    expect(kept.map(refusalOf)).toEqual([
      [409, 'PortInUseAsTrunkParent'],
      [409, 'PortInUseAsSubPort'],
    ]);
    expect((await remove(`trunks/${id}`)).status).toBe(204);
    expect(await shown(one)).toMatchObject({ device_owner: '' });
    const gone = [await remove(`ports/${parent.id}`), await remove(`ports/${one.id}`)];
    expect(gone.map(({ status }) => status)).toEqual([204, 204]);
  });

  it('cannot be changed while it is disabled', async () => {
    const [parent, one] = [await newPort(), await newPort()];
    const { id } = await network.create('trunks', { port_id: parent.id, admin_state_up: false });
    for (const answer of [
      await act(id, 'add_subports', [vlan(one, 7)]),
      await act(id, 'remove_subports', [{ port_id: one.id }]),
      await remove(`trunks/${id}`),
    ])
      expect(refusalOf(answer)).toEqual([409, 'TrunkDisabled']);
    expect((await put(id, { admin_state_up: true, name: 'on' })).status).toBe(200);
    expect((await act(id, 'add_subports', [vlan(one, 7)])).status).toBe(200);
  });

  it('is visible to its project only', async () => {
    const parent = await newPort();
    const { id } = await network.create('trunks', { port_id: parent.id });
    const token = network.stranger;
    const seen = await network.client.get(`/v2.0/trunks/${id}`, { token });
    expect(refusalOf(seen)).toEqual([404, 'TrunkNotFound']);
    const theirs = await newPort({}, token);
    const answer = await post({ port_id: theirs.id });
    expect(refusalOf(answer)).toEqual([404, 'PortNotFound']);
  });
});

describe('a trunk is refused', () => {
  it('for a port that is in a trunk already', async () => {
    const [parent, one] = [await newPort(), await newPort()];
    const { id } = await network.create('trunks', {
      port_id: parent.id,
      sub_ports: [vlan(one, 7)],
    });
    expect(refusalOf(await post({ port_id: parent.id }))).toEqual([409, 'ParentPortInUse']);
    expect(refusalOf(await post({ port_id: one.id }))).toEqual([409, 'TrunkPortInUse']);
    const free = await newPort();
    const second = { port_id: free.id, sub_ports: [vlan(one, 9)] };
    expect(refusalOf(await post(second))).toEqual([409, 'TrunkPortInUse']);
    const nested = { port_id: free.id, sub_ports: [vlan(parent, 9)] };
    expect(refusalOf(await post(nested))).toEqual([409, 'ParentPortInUse']);
    const itself = await act(id, 'add_subports', [vlan(parent, 9)]);
    expect(refusalOf(itself)).toEqual([409, 'ParentPortInUse']);
    expect(await network.list(`trunks?port_id=${free.id}`)).toEqual([]);
  });

  it('for a second subport with the same VLAN, or one that is used elsewhere', async () => {
    const [parent, one, two] = [await newPort(), await newPort(), await newPort()];
    const { id } = await network.create('trunks', {
      port_id: parent.id,
      sub_ports: [vlan(one, 7)],
    });
    const same = await act(id, 'add_subports', [vlan(two, 7)]);
    expect(refusalOf(same)).toEqual([409, 'DuplicateSubPort']);
    await network.client.put(`/v2.0/ports/${two.id}`, {
      token: network.member,
      body: { port: { device_id: 'guest' } },
    });
    const used = await act(id, 'add_subports', [vlan(two, 8)]);
    expect(refusalOf(used)).toEqual([409, 'PortInUse']);
    const strange = await act(id, 'remove_subports', [{ port_id: two.id }]);
    expect(refusalOf(strange)).toEqual([404, 'SubPortNotFound']);
    expect(await network.list(`trunks/${id}/get_subports`)).toEqual([vlan(one, 7)]);
  });

  it('for a subport with too large an MTU', async () => {
    const { id: network_id } = await network.create('networks', { mtu: 1300 });
    const parent = await network.create('ports', { network_id });
    const one = await newPort();
    const answer = await post({ port_id: parent.id, sub_ports: [vlan(one, 7)] });
    expect(refusalOf(answer)).toEqual([409, 'SubPortMtuGreaterThanTrunkPortMtu']);
    expect(messageOf(answer)).toContain('cannot be greater than MTU 1300');
  });

  it.each([
    [{ segmentation_type: 'vlan' }, 'InvalidInput'],
    [{ segmentation_type: 'vxlan', segmentation_id: 7 }, 'InvalidInput'],
    [{ segmentation_type: 'vlan', segmentation_id: 4095 }, 'InvalidInput'],
    [{ segmentation_type: 'vlan', segmentation_id: 'x' }, 'InvalidInput'],
    [{ segmentation_type: 'inherit' }, 'InvalidInput'],
    [{}, 'InvalidInput'],
    [{ colour: 'red' }, 'InvalidInput'],
  ])('for a subport with %j', async (fields, type) => {
    const [parent, one] = [await newPort(), await newPort()];
    const { id } = await network.create('trunks', { port_id: parent.id });
    const answer = await act(id, 'add_subports', [{ port_id: one.id, ...fields }]);
    expect(refusalOf(answer)).toEqual([400, type]);
    expect(await network.list(`trunks/${id}/get_subports`)).toEqual([]);
  });

  it.each([
    ['a list of nothing', 'odd'],
    ['no port', [{ segmentation_type: 'vlan', segmentation_id: 7 }]],
    ['one port twice', [7, 8].map((id) => vlan({ id: '1'.repeat(32) } as Wire, id))],
  ])('with %s as its subports', async (_, sub_ports) => {
    const parent = await newPort();
    const answer = await post({ port_id: parent.id, sub_ports });
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
  });

  it('for a VLAN that occurs twice in a request', async () => {
    const [parent, one, two] = [await newPort(), await newPort(), await newPort()];
    const answer = await post({ port_id: parent.id, sub_ports: [vlan(one, 7), vlan(two, 7)] });
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
    expect(messageOf(answer)).toContain('is not unique');
  });

  it('for ports that do not exist', async () => {
    const parent = await newPort();
    const ghost = { id: newId() } as Wire;
    expect(refusalOf(await post({ port_id: ghost.id }))).toEqual([404, 'PortNotFound']);
    const answer = await post({ port_id: parent.id, sub_ports: [vlan(ghost, 7)] });
    expect(refusalOf(answer)).toEqual([404, 'PortNotFound']);
  });
});

describe('two replicas at once', () => {
  let other: NetworkFixture;

  beforeAll(async () => {
    other = await startNetwork({ beside: network });
  });
  afterAll(() => other.stop());

  it('request one port for their trunks, and one of them gets it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [first, second, one] = [await newPort(), await newPort(), await newPort()];
      const trunks = [
        await network.create('trunks', { port_id: first.id }),
        await network.create('trunks', { port_id: second.id }),
      ] as const;
      const answers = await Promise.all([
        act(trunks[0].id, 'add_subports', [vlan(one, 7)]),
        act(trunks[1].id, 'add_subports', [vlan(one, 7)], other),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('add a port to a trunk and delete it, and one of them succeeds', async () => {
    for (let round = 0; round < 4; round += 1) {
      const parent = await newPort();
      const [trunk, gone] = await Promise.all([
        post({ port_id: parent.id }),
        other.client.delete(`/v2.0/ports/${parent.id}`, { token: network.member }),
      ]);
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([trunk.status, gone.status]);
    }
  });
});

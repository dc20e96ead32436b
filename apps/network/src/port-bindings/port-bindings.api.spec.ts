import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;
let own: Wire;
let port: Wire;

const path = (rest = '') => `/v2.0/ports/${port.id}/bindings${rest}`;
const post = (binding: object, token = network.service) =>
  network.client.post(path(), { token, body: { binding } });
const put = (rest: string, body = {}) =>
  network.client.put(path(rest), { token: network.service, body });
const remove = (host: string) =>
  network.client.delete(path(`/${host}`), { token: network.service });
const list = async (query = '') =>
  (await network.list(`ports/${port.id}/bindings${query}`, network.service)).map(
    ({ host, status }) => `${String(host)} ${status}`,
  );
const told = async () => {
  await network.settle();
  const spec = network.dataPlane.ports.get(port.id);
  return [spec?.host, spec?.tap, spec?.prepared];
};

beforeAll(async () => {
  network = await startNetwork();
  ({ network: own } = await network.networkWith('10.0.0.0/24'));
});
afterAll(() => network.stop());
beforeEach(async () => {
  port = await network.create(
    'ports',
    {
      network_id: own.id,
      device_owner: 'compute:nova',
      device_id: newId(),
      'binding:host_id': 'one',
      'binding:profile': { tap_uid: 1001 },
    },
    network.admin,
  );
});

describe('the bindings of a port', () => {
  it('are those to its current host and to hosts that it may move to', async () => {
    const answer = await post({ host: 'two', profile: { tap_uid: 1002 } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      binding: {
        host: 'two',
        status: 'INACTIVE',
        vnic_type: 'normal',
        profile: { tap_uid: 1002 },
        vif_type: 'ovs',
        project_id: port.project_id,
        vif_details: { connectivity: 'l2', port_filter: true },
      },
    });
    expect(await list()).toEqual(['one ACTIVE', 'two INACTIVE']);
    expect(await list('?status=INACTIVE')).toEqual(['two INACTIVE']);
    const shown = await network.client.get(path('/one'), { token: network.service });
    expect(shown.body).toMatchObject({ binding: { profile: { tap_uid: 1001 } } });
    expect(await told()).toEqual(['one', { uid: 1001 }, [{ host: 'two', tap: { uid: 1002 } }]]);
  });

  it('are activated in turn', async () => {
    await post({ host: 'two', profile: { tap_uid: 1002 } });
    expect((await put('/two/activate')).body).toMatchObject({ binding: { status: 'ACTIVE' } });
    expect(await list()).toEqual(['two ACTIVE', 'one INACTIVE']);
    const [shown] = await network.list(`ports?id=${port.id}`, network.admin);
    expect(shown).toMatchObject({ 'binding:host_id': 'two', 'binding:profile': { tap_uid: 1002 } });
    expect(await told()).toEqual(['two', { uid: 1002 }, [{ host: 'one', tap: { uid: 1001 } }]]);
    expect(refusalOf(await put('/two/activate'))).toEqual([409, 'PortBindingAlreadyActive']);
    expect(refusalOf(await put('/three/activate'))).toEqual([404, 'PortBindingNotFound']);
  });

  it('are unique by host', async () => {
    await post({ host: 'two' });
    for (const host of ['one', 'two'])
      expect(refusalOf(await post({ host }))).toEqual([409, 'PortBindingAlreadyExists']);
    expect(refusalOf(await post({ host: '' }))).toEqual([400, 'HTTPBadRequest']);
    expect(refusalOf(await post({}))).toEqual([400, 'HTTPBadRequest']);
  });

  it('are changed and deleted separately', async () => {
    await post({ host: 'two' });
    for (const host of ['one', 'two'])
      await put(`/${host}`, { binding: { profile: { tap_uid: 1003 } } });
    expect(await told()).toEqual(['one', { uid: 1003 }, [{ host: 'two', tap: { uid: 1003 } }]]);
    expect((await remove('two')).status).toBe(204);
    expect(refusalOf(await remove('two'))).toEqual([404, 'PortBindingNotFound']);
    expect((await remove('one')).status).toBe(204);
    expect(await told()).toEqual([null, { uid: null }, []]);
  });

  it('lose the one to a host that the port itself was moved to', async () => {
    await post({ host: 'two' });
    const body = { port: { 'binding:host_id': 'two' } };
    await network.client.put(`/v2.0/ports/${port.id}`, { token: network.service, body });
    expect(await list()).toEqual(['two ACTIVE']);
  });

  it('are for guests’ ports, and for services and administrators', async () => {
    expect((await post({ host: 'two' }, network.member)).status).toBe(403);
    const body = { port: { device_owner: '' } };
    await network.client.put(`/v2.0/ports/${port.id}`, { token: network.admin, body });
    expect(refusalOf(await post({ host: 'two' }))).toEqual([400, 'BadRequest']);
    port = { ...port, id: newId() };
    expect(refusalOf(await post({ host: 'two' }))).toEqual([404, 'PortNotFound']);
  });
});

describe('a profile alone', () => {
  it('that is changed tells the host who may open the device now', async () => {
    expect(await told()).toEqual(['one', { uid: 1001 }, []]);
    const body = { port: { 'binding:profile': { tap_uid: 1009 } } };
    await network.client.put(`/v2.0/ports/${port.id}`, { token: network.service, body });
    expect(await told()).toEqual(['one', { uid: 1009 }, []]);
  });
});

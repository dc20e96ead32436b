/** Actions on NICs in a server's history. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});
afterEach(async () => {
  await compute.deleteServers();
  compute.networks.clear();
});
afterAll(() => compute.stop());

async function built(): Promise<string> {
  compute.networks.add({ projectId: compute.projectId });
  return compute.buildServer({ networks: undefined });
}

const attach = (id: string) =>
  compute.client.post(`/servers/${id}/os-interface`, {
    token: compute.token,
    body: { interfaceAttachment: {} },
  });
const detachFirst = (id: string) => {
  const [port] = compute.networks.stored.values();
  return compute.client.delete(`/servers/${id}/os-interface/${port?.id ?? ''}`, {
    token: compute.token,
  });
};
const act = (id: string, body: object) => compute.act(id, body);

describe('attaching and detaching are among the actions of a server', () => {
  const AT_84 = { 'OpenStack-API-Version': 'compute 2.84' };
  const actions = async (id: string): Promise<unknown[]> => {
    const token = await compute.tokens.issue(['admin']);
    const path = `/servers/${id}/os-instance-actions`;
    const { body } = await compute.client.get(path, { token, headers: AT_84 });
    const all = (body as { instanceActions: { request_id: string }[] }).instanceActions;
    return Promise.all(
      all.map(async ({ request_id }) => {
        const shown = await compute.client.get(`${path}/${request_id}`, { token, headers: AT_84 });
        const { instanceAction: one } = shown.body as {
          instanceAction: { action: string; message: string | null; events: object[] };
        };
        return [one.action, one.message, one.events];
      }),
    );
  };
  const event = (name: string, result: string | null, details: string | null = null) => [
    expect.objectContaining({
      event: name,
      result,
      details,
      host: result === null ? null : 'host-1',
      finish_time: result === null ? null : expect.any(String),
    }),
  ];
  const attached = event('compute_attach_interface', 'Success');
  const detached = event('compute_detach_interface', 'Success');

  it('with their outcome', async () => {
    const id = await built();
    await attach(id);
    expect((await actions(id))[0]).toEqual(['attach_interface', null, attached]);
    await detachFirst(id);
    await compute.settle();
    expect((await actions(id)).slice(0, 2)).toEqual([
      ['detach_interface', null, detached],
      ['attach_interface', null, attached],
    ]);
  });

  it('with the reason of a failure', async () => {
    const id = await built();
    const error = new HypervisorError('not-ready', 'Stop and start it.');
    compute.hypervisor.failNext('plugNic', error);
    await attach(id);
    // The first NIC is released before the second is requested.
    await compute.settle();
    compute.hypervisor.failNext('unplugNic', error);
    await detachFirst(id);
    await compute.settle();
    const why = 'Stop and start it.';
    expect((await actions(id)).slice(0, 2)).toEqual([
      ['detach_interface', why, event('compute_detach_interface', 'Error', why)],
      ['attach_interface', why, event('compute_attach_interface', 'Error', why)],
    ]);
  });

  it('which other actions on the server do not end', async () => {
    const id = await built();
    const hold = compute.hypervisor.hold('plugNic');
    const attaching = attach(id);
    await hold.reached;
    await act(id, { pause: null });
    await eventually('it is paused', async () => (await compute.show(id))['status'] === 'PAUSED');
    await act(id, { lock: null });
    expect((await actions(id)).slice(0, 3)).toMatchObject([
      ['lock', null, []],
      ['pause', null, [{ result: 'Success' }]],
      ['attach_interface', null, event('compute_attach_interface', null)],
    ]);
    hold.release();
    expect((await attaching).status).toBe(200);
    expect((await actions(id))[2]).toEqual(['attach_interface', null, attached]);
  });
});

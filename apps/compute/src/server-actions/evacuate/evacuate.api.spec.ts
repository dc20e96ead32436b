import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { addHost } from '../../hosts/hosts.fixture.js';

let compute: ComputeFixture;
let admin: string;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  const ctx = RequestContext.system(newRequestId(), compute.app.dataSource.manager);
  await addHost(ctx, 'away', { silentSeconds: 3_600 });
});

afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.app.dataSource.query('DELETE FROM servers');
  await compute.settle();
  id = await compute.buildServer();
});

/** As if it had been built on the host that is down. */
const moveAway = (): Promise<unknown> =>
  compute.app.dataSource.query("UPDATE servers SET host = 'away' WHERE id = $1", [id]);

const evacuate = (body: object = {}, minor = 79, token = admin): Promise<TestResponse> =>
  compute.client.post(`/servers/${id}/action`, {
    token,
    body: { evacuate: body },
    headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
  });

const hostOf = async (): Promise<unknown> =>
  (await compute.show(id, admin))['OS-EXT-SRV-ATTR:host'];

describe('a server of a host that is down', () => {
  beforeEach(moveAway);

  it('is built on another one, where it runs', async () => {
    const response = await evacuate({ adminPass: 'horse' });
    expect([response.status, response.text]).toEqual([200, '']);
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await hostOf()).toBe('host-1');
    expect(await compute.hypervisor.machines.state(id)).toBe('running');
    const left: unknown[] = await compute.app.dataSource.query('SELECT host FROM leftover_guests');
    expect(left).toEqual([{ host: 'away' }]);
  });

  it('is off there since 2.95', async () => {
    expect((await evacuate({}, 95)).status).toBe(200);
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
    expect(await hostOf()).toBe('host-1');
  });

  it('has a new password, which the answer shows until 2.13', async () => {
    const response = await evacuate({ onSharedStorage: false }, 13);
    expect(response.body).toEqual({ adminPass: expect.stringMatching(/^.{12}$/) });
    await compute.settle();
  });

  it.each([
    ['to its own host', { host: 'away' }, 400],
    ['to a host that is not there', { host: 'nowhere' }, 404],
    ['by force', { host: 'host-1', force: true }, 400],
    ['on shared storage', { onSharedStorage: true }, 400],
  ])('is not evacuated %s', async (_, body, status) => {
    expect((await evacuate(body, 67)).status).toBe(status);
    expect(await hostOf()).toBe('away');
  });

  it('is not evacuated by its members', async () => {
    expect((await evacuate({}, 79, compute.token)).status).toBe(403);
  });
});

it('a server of a host that is up is not evacuated', async () => {
  const response = await evacuate();
  expect([response.status, response.body]).toEqual([
    400,
    { badRequest: { code: 400, message: 'Compute service of host-1 is still in use.' } },
  ]);
});

describe('actions in a running guest', () => {
  const act = (body: object, minor = 79): Promise<TestResponse> => compute.act(id, body, { minor });

  it('a crash dump interrupts it, since 2.17', async () => {
    expect((await act({ trigger_crash_dump: null })).status).toBe(202);
    expect(compute.hypervisor.world.guest(id).console).toContain('NMI received');
    expect((await act({ trigger_crash_dump: null }, 16)).status).toBe(404);
  });

  it('a password is not changed without an agent', async () => {
    const response = await act({ changePassword: { adminPass: 'horse' } });
    expect([response.status, response.text]).toEqual([
      409,
      expect.stringContaining('QEMU guest agent is not enabled'),
    ]);
  });
});

/** Actions for administrators, and of deferred deletes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let admin: string;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});

afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.deleteServers();
  id = await compute.buildServer();
});

const act = (body: object, token = admin, server = id): Promise<TestResponse> =>
  compute.act(server, body, { token });

describe('os-resetState', () => {
  it('sets a server to error, with that as its fault', async () => {
    expect((await act({ 'os-resetState': { state: 'error' } })).status).toBe(202);
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: { message: 'An administrator declared that it has failed.' },
    });
  });

  it('sets it to active again, while its guest runs on', async () => {
    await act({ 'os-resetState': { state: 'error' } });
    expect((await act({ 'os-resetState': { state: 'active' } })).status).toBe(202);
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(compute.hypervisor.world.guest(id).starts).toBe(1);
  });

  it('is corrected if the guest does not run', async () => {
    await act({ 'os-stop': null });
    await compute.settle();
    await act({ 'os-resetState': { state: 'active' } });
    await eventually('the server is off', async () => {
      return (await compute.show(id))['status'] === 'SHUTOFF';
    });
  });

  it('ends the task in progress', async () => {
    const hold = compute.hypervisor.hold('powerDown');
    await act({ 'os-stop': null });
    await hold.reached;
    expect((await act({ 'os-resetState': { state: 'error' } })).status).toBe(202);
    hold.release();
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ERROR' });
  });

  it('refuses active for a server without a host', async () => {
    compute.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No.'));
    const failed = await compute.buildServer();
    const response = await act({ 'os-resetState': { state: 'active' } }, admin, failed);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      conflictingRequest: { message: expect.stringContaining('never placed on a host') },
    });
  });

  it.each([{}, { state: 'paused' }, { state: null }])(
    'refuses any other state: %p',
    async (body) => {
      const response = await act({ 'os-resetState': body });
      expect(response.status).toBe(400);
      expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    },
  );
});

describe('actions for administrators', () => {
  it.each([{ 'os-resetState': { state: 'error' } }, { injectNetworkInfo: null }])(
    'are refused to members: %p',
    async (body) => {
      const response = await act(body, compute.token);
      const [name] = Object.keys(body);
      expect([response.status, response.body]).toEqual([
        403,
        {
          forbidden: { code: 403, message: `The server action '${name}' needs the role admin.` },
        },
      ]);
    },
  );

  it('hide servers of other projects from their members', async () => {
    const other = await compute.tokens.issue(['member']);
    expect((await act({ 'os-resetState': { state: 'error' } }, other)).status).toBe(404);
  });
});

describe('actions for Xen', () => {
  it('injectNetworkInfo is accepted and changes nothing', async () => {
    expect((await act({ injectNetworkInfo: null })).status).toBe(202);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('resetNetwork is gone', async () => {
    expect((await act({ resetNetwork: null })).status).toBe(410);
  });
});

describe('deletes that Nova may defer', () => {
  it('forceDelete deletes', async () => {
    expect((await act({ forceDelete: null }, compute.token)).status).toBe(202);
    await compute.settle();
    expect((await compute.client.get(`/servers/${id}`, { token: admin })).status).toBe(404);
    expect(await compute.hypervisor.guests.list()).not.toContain(id);
  });

  it('restore finds nothing to restore', async () => {
    const response = await act({ restore: null }, compute.token);
    expect([response.status, response.body]).toEqual([
      409,
      {
        conflictingRequest: {
          code: 409,
          message: `Cannot 'restore' instance ${id} while it is in vm_state active`,
        },
      },
    ]);
  });
});

/** Actions that pause a guest, in its machine's memory or on its disk. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.deleteServers();
  id = await compute.buildServer();
});

const act = (name: string, body: unknown = null): Promise<TestResponse> =>
  compute.act(id, { [name]: body });

async function done(name: string, body: unknown = null): Promise<void> {
  const response = await compute.done(id, { [name]: body });
  expect([response.status, response.text]).toEqual([202, '']);
}

const expectShown = async (
  status: string,
  vmState: string,
  taskState: string | null,
  powerState: number,
): Promise<void> => {
  expect(await compute.show(id)).toMatchObject({
    status,
    'OS-EXT-STS:vm_state': vmState,
    'OS-EXT-STS:task_state': taskState,
    'OS-EXT-STS:power_state': powerState,
  });
};

const starts = (): number => compute.hypervisor.world.guest(id).starts;

describe.each([
  ['pause', 'pause', 'pausing', 'unpause', 'unpausing', ['PAUSED', 'paused', 3]],
  ['suspend', 'suspend', 'suspending', 'resume', 'resuming', ['SUSPENDED', 'suspended', 4]],
] as const)('%s', (name, method, doing, back, undoing, [status, vmState, power]) => {
  it('pauses the guest, which resumes unchanged', async () => {
    await done(name);
    await expectShown(status, vmState, null, power);
    await done(back);
    await expectShown('ACTIVE', 'active', null, 1);
    expect(await compute.hypervisor.machines.state(id)).toBe('running');
    expect(starts()).toBe(1);
  });

  it('shows its task meanwhile, both ways', async () => {
    const first = compute.hypervisor.hold(method);
    await act(name);
    await first.reached;
    await expectShown('ACTIVE', 'active', doing, 1);
    first.release();
    await compute.settle();
    const second = compute.hypervisor.hold('ensureRunning');
    await act(back);
    await second.reached;
    await expectShown(status, vmState, undoing, power);
    second.release();
    await compute.settle();
  });

  it('leaves a guest running that cannot be paused, and its history says why', async () => {
    compute.hypervisor.failNext(method, new HypervisorError('capacity', 'No room.'));
    await done(name);
    await expectShown('ACTIVE', 'active', null, 1);
    expect(await compute.hypervisor.machines.state(id)).toBe('running');
  });

  it('is an error if the guest cannot resume, and a hard reboot starts it afresh', async () => {
    await done(name);
    compute.hypervisor.failNext('ensureRunning', new HypervisorError('not-ready', 'Lost.'));
    await done(back);
    expect(await compute.show(id)).toMatchObject({ status: 'ERROR', fault: { message: 'Lost.' } });
    await done('reboot', { type: 'HARD' });
    await expectShown('ACTIVE', 'active', null, 1);
    expect(starts()).toBe(2);
  });

  it.each([name, 'os-start', 'os-stop'])('allows no %s meanwhile', async (other) => {
    await done(name);
    const response = await act(other);
    const verb = other.replace('os-', '');
    expect([response.status, response.body]).toEqual([
      409,
      {
        conflictingRequest: {
          code: 409,
          message: `Cannot '${verb}' instance ${id} while it is in vm_state ${vmState}`,
        },
      },
    ]);
  });

  it('ends with a hard reboot', async () => {
    await done(name);
    await done('reboot', { type: 'HARD' });
    await expectShown('ACTIVE', 'active', null, 1);
    expect(starts()).toBe(2);
  });

  it('ends with a delete', async () => {
    await done(name);
    await compute.deleteServers();
    expect(await compute.hypervisor.guests.list()).not.toContain(id);
  });

  it(`cannot be ended if it has not begun: ${back}`, async () => {
    const response = await act(back);
    expect(response.body).toMatchObject({
      conflictingRequest: {
        message: `Cannot '${back}' instance ${id} while it is in vm_state active`,
      },
    });
  });
});

it('a paused server whose machine is killed is SHUTOFF', async () => {
  await done('pause');
  compute.hypervisor.forceState(id, 'absent');
  await eventually('it is off', async () => (await compute.show(id))['status'] === 'SHUTOFF');
});

it('a server in ERROR keeps its fault while it is being deleted', async () => {
  compute.hypervisor.failNext('ensureRunning', new HypervisorError('not-ready', 'Lost.'));
  await done('os-stop');
  await done('os-start');
  const hold = compute.hypervisor.hold('destroy');
  await compute.client.delete(`/servers/${id}`, { token: compute.token });
  await hold.reached;
  expect(await compute.show(id)).toMatchObject({
    status: 'ERROR',
    'OS-EXT-STS:task_state': 'deleting',
    fault: { message: 'Lost.', code: 500 },
  });
  hold.release();
  await compute.settle();
});

/** Guests that ignore their power button, and machines that do not answer. */
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import type { GuestState } from '../hypervisor/hypervisor-driver.js';
import { SimulatedMachines } from '../hypervisor/simulated/simulated-machines.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';

let compute: ComputeFixture;

afterEach(async () => {
  await compute.stop();
});

class DeafMachines extends SimulatedMachines {
  presses = 0;

  override powerDown(): Promise<void> {
    this.presses += 1;
    return Promise.resolve();
  }
}

class Deaf extends SimulatedHypervisor {
  override readonly machines = new DeafMachines(this.share);
}

class HungMachines extends SimulatedMachines {
  hangs = false;

  override state(guestId: string): Promise<GuestState> {
    const silence = new HypervisorError('transient', 'The machine does not answer.');
    return this.hangs ? Promise.reject(silence) : super.state(guestId);
  }

  override powerOff(guestId: string): Promise<void> {
    this.hangs = false;
    return super.powerOff(guestId);
  }
}

class Hung extends SimulatedHypervisor {
  override readonly machines = new HungMachines(this.share);
}

async function act(id: string, body: object): Promise<void> {
  expect((await compute.act(id, body)).status).toBe(202);
}

it('their power is cut when their time is up', async () => {
  const hypervisor = new Deaf();
  compute = await startCompute({ hypervisor, config: { shutdownSeconds: 3 } });
  const id = await compute.buildServer();
  await act(id, { 'os-stop': null });
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
  expect(await hypervisor.machines.state(id)).toBe('absent');
  expect(hypervisor.machines.presses).toBeGreaterThan(0);
});

it('their image sets their time', async () => {
  const hypervisor = new Deaf();
  compute = await startCompute({ hypervisor, config: { shutdownSeconds: 3_600 } });
  const imageRef = compute.images.add({ properties: { os_shutdown_timeout: '3' } });
  const id = await compute.buildServer({ imageRef });
  await act(id, { 'os-stop': null });
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
  expect(hypervisor.machines.presses).toBeGreaterThan(0);
});

it.each([
  ['os-stop', null, 300],
  ['reboot', { type: 'SOFT' }, 300],
  ['resize', { flavorRef: '2' }, 600],
  ['shelve', null, 14_400],
])('%s is not past its deadline while they have time', async (action, body, own) => {
  compute = await startCompute({ hypervisor: new Deaf(), config: { shutdownSeconds: 3_600 } });
  const id = await compute.buildServer();
  await act(id, { [action]: body });
  const [row] = await compute.app.dataSource.query<{ seconds: string }[]>(
    'SELECT extract(epoch FROM state_deadline - state_since) AS seconds FROM servers WHERE id = $1',
    [id],
  );
  expect(Number(row?.seconds)).toBeCloseTo(own + 3_600, 0);
});

it('the power of one that hangs is cut when its time is up, not at the deadline', async () => {
  const hypervisor = new Hung();
  compute = await startCompute({ hypervisor, config: { shutdownSeconds: 1 } });
  const id = await compute.buildServer();
  hypervisor.machines.hangs = true;
  await act(id, { 'os-stop': null });
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
});

it('they are rebooted all the same', async () => {
  const hypervisor = new Deaf();
  compute = await startCompute({ hypervisor, config: { shutdownSeconds: 1 } });
  const id = await compute.buildServer();
  await act(id, { reboot: { type: 'SOFT' } });
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  expect(hypervisor.world.guest(id).starts).toBe(2);
});

it('they are not asked if they have no time', async () => {
  const hypervisor = new Deaf();
  compute = await startCompute({ hypervisor, config: { shutdownSeconds: 0 } });
  const id = await compute.buildServer();
  await act(id, { 'os-stop': null });
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
  expect(hypervisor.machines.presses).toBe(0);
});

it('a hard reboot does not wait for a soft one', async () => {
  const hypervisor = new Deaf();
  compute = await startCompute({ hypervisor, config: { shutdownSeconds: 3_600 } });
  const id = await compute.buildServer();
  await act(id, { reboot: { type: 'SOFT' } });
  await eventually('the guest was asked', () => hypervisor.machines.presses > 0);
  await act(id, { reboot: { type: 'HARD' } });
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
});

/** Servers of a simulated host whose compute restarts on the same folder and database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';
import { SimulatedWorld } from '../hypervisor/simulated/simulated-world.js';

let folder: string;
let first: ComputeFixture;
let compute: ComputeFixture;
let running: string;
let stopped: string;
let failed: string;

async function hypervisor(): Promise<SimulatedHypervisor> {
  return new SimulatedHypervisor({ world: await SimulatedWorld.open(folder) });
}

async function act(at: ComputeFixture, id: string, body: object): Promise<void> {
  expect((await at.done(id, body)).status).toBe(202);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-simulated-'));
  first = await startCompute({ hypervisor: await hypervisor(), losesDatabase: true });
  running = await first.buildServer();
  stopped = await first.buildServer();
  failed = await first.buildServer();
  await act(first, stopped, { 'os-stop': null });
  await act(first, failed, { 'os-stop': null });
  first.hypervisor.failNext('ensureRunning', new HypervisorError('capacity', 'Full.'));
  await act(first, failed, { 'os-start': null });
  await first.app.stop();
  compute = await startCompute({ hypervisor: await hypervisor(), beside: first });
});

afterAll(async () => {
  await compute.stop();
  await first.wire.cut();
  await first.database.drop();
  await rm(folder, { recursive: true });
});

it('a server that ran runs on, and does not boot again', async () => {
  // The agent has compared guests once it removes one without a row.
  const orphan = '11111111-1111-4111-8111-111111111111';
  compute.hypervisor.world.guest(orphan);
  await eventually('the guests are compared', async () => {
    return !(await compute.hypervisor.guests.list()).includes(orphan);
  });
  await compute.settle();
  expect(await compute.show(running)).toMatchObject({ status: 'ACTIVE' });
  expect(compute.hypervisor.world.guest(running)).toMatchObject({ state: 'running', starts: 1 });
});

it('a server that was stopped is started from its disk', async () => {
  expect(await compute.show(stopped)).toMatchObject({ status: 'SHUTOFF' });
  await act(compute, stopped, { 'os-start': null });
  expect(await compute.show(stopped)).toMatchObject({ status: 'ACTIVE' });
});

it('a server in error is started from its disk by a hard reboot', async () => {
  expect(await compute.show(failed)).toMatchObject({ status: 'ERROR' });
  await act(compute, failed, { reboot: { type: 'HARD' } });
  expect(await compute.show(failed)).toMatchObject({ status: 'ACTIVE' });
});

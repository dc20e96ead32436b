import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newRequestId } from '@cumulet/common/context/request-id';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { RequestContext } from '@cumulet/common/context/request-context';
import { transition } from '@cumulet/common/states/transition';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import { serverStates } from '../servers/server.states.js';
import type { HostAgent } from './host-agent.js';

let world: ServerWorld;
/** An agent past its first comparison: guests that are missing now stopped while it ran. */
let agent: HostAgent;

beforeAll(async () => {
  world = await startServerWorld();
});

afterAll(async () => {
  await world.stop();
});

beforeEach(async () => {
  await world.dataSource.query('DELETE FROM servers');
  await world.dataSource.query('DELETE FROM jobs');
  world.hypervisor.world.guests.clear();
  agent = world.agent();
  await agent.compare(world.ctx);
});

/** Does the work that the agent nudged. */
async function reconcile(id: string): Promise<void> {
  const jobs: unknown = await world.dataSource.query('SELECT resource, id FROM jobs');
  expect(jobs).toContainEqual({ resource: 'server', id });
  const logger = createLogger('test', 'silent');
  await runReconciler(world.reconciler, world.ctx, id, 0, { logger });
}

describe('a guest without a row', () => {
  it('is removed', async () => {
    const id = await world.insertRunning('active');
    await world.dataSource.query('DELETE FROM servers');
    await agent.compare(world.ctx);
    expect(await world.hypervisor.guests.list()).not.toContain(id);
  });

  it('is removed also if its row has released the host', async () => {
    const id = await world.insertRunning('error');
    await world.dataSource.query('UPDATE servers SET host = NULL');
    await agent.compare(world.ctx);
    expect(await world.hypervisor.guests.list()).not.toContain(id);
  });

  it('stays if its row names another host, as after this one was renamed', async () => {
    const id = await world.insertRunning('active');
    await world.agent({ host: 'renamed' }).compare(world.ctx);
    expect(await world.hypervisor.machines.state(id)).toBe('running');
  });

  it.each(['building', 'deleting', 'error', 'stopped'] as const)(
    'is none of those whose row is %s',
    async (state) => {
      const id = await world.insertRunning(state);
      await agent.compare(world.ctx);
      expect(await world.hypervisor.machines.state(id)).toBe('running');
      expect(await world.read(id)).toMatchObject({ state });
    },
  );

  it('does not hold up the others if it cannot be removed', async () => {
    const orphan = await world.insertRunning('active');
    await world.dataSource.query('DELETE FROM servers');
    const stopped = await world.insertRunning('active');
    world.hypervisor.forceState(stopped, 'shutdown');
    world.hypervisor.failNext('destroy', new HypervisorError('transient', 'Not now.'));
    await expect(agent.compare(world.ctx)).rejects.toThrow('1 guests could not be looked after');
    expect(await world.read(stopped)).toMatchObject({ state: 'stopping' });
    await agent.compare(world.ctx);
    expect(await world.hypervisor.guests.list()).not.toContain(orphan);
  });
});

describe('a guest that stopped by itself', () => {
  it.each([
    ['shutdown', 'The guest powered itself off.'],
    ['crashed', 'The guest crashed.'],
  ] as const)('is off, and what is left of its machine is ended: %s', async (found, reason) => {
    const id = await world.insertRunning('active');
    world.hypervisor.forceState(id, found);
    await agent.compare(world.ctx);
    expect(await world.read(id)).toMatchObject({ stateReason: reason });
    await reconcile(id);
    expect(await world.read(id)).toMatchObject({ state: 'stopped' });
    expect(await world.hypervisor.machines.state(id)).toBe('absent');
  });

  it('is off also if its process ended', async () => {
    const id = await world.insertRunning('active');
    await world.hypervisor.machines.powerOff(id);
    await agent.compare(world.ctx);
    expect(await world.read(id)).toMatchObject({ stateReason: "The guest's process ended." });
    await reconcile(id);
    expect(await world.read(id)).toMatchObject({ state: 'stopped' });
  });

  it.each(['running', 'paused'] as const)('is not one that is %s', async (found) => {
    const id = await world.insertRunning('active');
    world.hypervisor.forceState(id, found);
    await agent.compare(world.ctx);
    expect(await world.read(id)).toMatchObject({ state: 'active' });
  });
});

describe('a guest whose process is gone when compute restarts', () => {
  it('is started again, as the host was rebooted', async () => {
    const id = await world.insertRunning('active');
    await world.hypervisor.machines.powerOff(id);
    await world.agent().compare(world.ctx);
    expect(await world.read(id)).toMatchObject({ state: 'starting' });
    await reconcile(id);
    expect(await world.read(id)).toMatchObject({ state: 'active' });
    expect(await world.hypervisor.machines.state(id)).toBe('running');
  });

  it("stays off if the operator's setting says so", async () => {
    const id = await world.insertRunning('active');
    await world.hypervisor.machines.powerOff(id);
    await world.agent({ resumeGuests: false }).compare(world.ctx);
    await reconcile(id);
    expect(await world.read(id)).toMatchObject({ state: 'stopped' });
  });

  it('is started again also if the first comparison could not finish', async () => {
    const id = await world.insertRunning('active');
    await world.hypervisor.machines.powerOff(id);
    const restarted = world.agent();
    world.hypervisor.failNext('list', new HypervisorError('transient', 'Not now.'));
    await expect(restarted.compare(world.ctx)).rejects.toThrow('Not now.');
    await restarted.compare(world.ctx);
    expect(await world.read(id)).toMatchObject({ state: 'starting' });
  });
});

describe('a guest that is paused though its server is active', () => {
  it('resumes if its host went down while it was being paused', async () => {
    const id = await world.insertRunning('active');
    world.hypervisor.forceState(id, 'paused');
    const restarted = world.agent();
    await restarted.compare(world.ctx);
    expect(await world.read(id)).toMatchObject({ state: 'starting' });
    await reconcile(id);
    expect(await world.read(id)).toMatchObject({ state: 'active' });
    expect(await world.hypervisor.machines.state(id)).toBe('running');
  });
});

it('a row that changed during the comparison is left alone', async () => {
  const id = await world.insertRunning('active');
  world.hypervisor.forceState(id, 'shutdown');
  const hold = world.hypervisor.hold('state');
  const looking = agent.compare(world.ctx);
  await hold.reached;
  await transition(world.ctx, serverStates, id, 'hard-reboot');
  await transition(world.ctx, serverStates, id, 'rebooted');
  hold.release();
  await looking;
  expect(await world.read(id)).toMatchObject({ state: 'active' });
});

describe('the report of a host', () => {
  it('is its sign of life, and keeps what an operator decided', async () => {
    await world.dataSource.query(
      "UPDATE hosts SET enabled = false, seen_at = now() - interval '1 hour'",
    );
    await agent.report(RequestContext.system(newRequestId(), world.dataSource.manager));
    const rows: unknown = await world.dataSource.query(
      "SELECT name, enabled, seen_at > now() - interval '1 minute' AS alive FROM hosts",
    );
    expect(rows).toEqual([{ name: 'host-1', enabled: false, alive: true }]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(async () => {
  await compute.stop();
});

beforeEach(async () => {
  await compute.deleteServers();
  id = await compute.buildServer();
});

const act = (body: unknown, server = id): Promise<TestResponse> => compute.act(server, body);

/** Requests an action, expects 202 without a body, and waits for its end. */
async function done(body: object): Promise<void> {
  const response = await compute.done(id, body);
  expect([response.status, response.text]).toEqual([202, '']);
}

const starts = (): number => compute.hypervisor.world.guest(id).starts;

describe('os-stop and os-start', () => {
  it('stop lets the guest shut down, and start starts it', async () => {
    await done({ 'os-stop': null });
    expect(await compute.show(id)).toMatchObject({
      status: 'SHUTOFF',
      'OS-EXT-STS:vm_state': 'stopped',
      'OS-EXT-STS:task_state': null,
      'OS-EXT-STS:power_state': 4,
    });
    expect(await compute.hypervisor.machines.state(id)).toBe('absent');
    await done({ 'os-start': null });
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await compute.hypervisor.machines.state(id)).toBe('running');
    expect(starts()).toBe(2);
  });

  it('accept an empty object for null, as some clients send', async () => {
    await done({ 'os-stop': {} });
    await done({ 'os-start': {} });
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('show their task meanwhile', async () => {
    const hold = compute.hypervisor.hold('powerDown');
    await act({ 'os-stop': null });
    await hold.reached;
    expect(await compute.show(id)).toMatchObject({
      status: 'ACTIVE',
      'OS-EXT-STS:task_state': 'powering-off',
    });
    hold.release();
    await compute.settle();
  });
});

describe('reboot', () => {
  it('SOFT shuts the guest down and starts it again', async () => {
    const hold = compute.hypervisor.hold('powerDown');
    await act({ reboot: { type: 'SOFT' } });
    await hold.reached;
    expect(await compute.show(id)).toMatchObject({
      status: 'REBOOT',
      'OS-EXT-STS:task_state': 'rebooting',
    });
    hold.release();
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(starts()).toBe(2);
  });

  it('HARD does not ask the guest', async () => {
    const hold = compute.hypervisor.hold('powerOff');
    compute.hypervisor.failNext('powerDown', new HypervisorError('bug', 'It was asked.'));
    await act({ reboot: { type: 'HARD' } });
    await hold.reached;
    expect(await compute.show(id)).toMatchObject({
      status: 'HARD_REBOOT',
      'OS-EXT-STS:task_state': 'rebooting_hard',
    });
    hold.release();
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(starts()).toBe(2);
  });

  it('HARD also starts a server that is off', async () => {
    await done({ 'os-stop': null });
    await done({ reboot: { type: 'hard' } });
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('a failed server allows only a stop or a HARD one', async () => {
    await done({ 'os-stop': null });
    compute.hypervisor.failNext('ensureRunning', new HypervisorError('capacity', 'No memory.'));
    await done({ 'os-start': null });
    expect((await act({ 'os-start': null })).body).toMatchObject({
      conflictingRequest: {
        message: `Cannot 'start' instance ${id} while it is in vm_state error`,
      },
    });
    await done({ 'os-stop': null });
    expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
  });

  it('HARD repairs a server whose start failed', async () => {
    await done({ 'os-stop': null });
    compute.hypervisor.failNext('ensureRunning', new HypervisorError('capacity', 'No memory.'));
    await done({ 'os-start': null });
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: { message: 'No memory.' },
    });
    await done({ reboot: { type: 'HARD' } });
    const server = await compute.show(id);
    expect(server).toMatchObject({ status: 'ACTIVE' });
    expect(server).not.toHaveProperty('fault');
  });
});

describe('an action in the wrong state', () => {
  it.each([
    ['start', { 'os-start': null }, 'active'],
    ['stop', { 'os-stop': null }, 'stopped'],
    ['reboot', { reboot: { type: 'SOFT' } }, 'stopped'],
  ])('%s is refused with the state it is in', async (name, body, vmState) => {
    if (vmState === 'stopped') await done({ 'os-stop': null });
    const response = await act(body);
    expect([response.status, response.body]).toEqual([
      409,
      {
        conflictingRequest: {
          code: 409,
          message: `Cannot '${name}' instance ${id} while it is in vm_state ${vmState}`,
        },
      },
    ]);
  });

  it('is refused with the task in progress, by which of two came first', async () => {
    const hold = compute.hypervisor.hold('powerDown');
    const responses = await Promise.all([act({ 'os-stop': null }), act({ 'os-stop': null })]);
    const [won, lost] = responses.sort((one, other) => one.status - other.status);
    expect(won.status).toBe(202);
    expect(lost.body).toEqual({
      conflictingRequest: {
        code: 409,
        message: `Cannot 'stop' instance ${id} while it is in task_state powering-off`,
      },
    });
    hold.release();
    await compute.settle();
  });

  it.each([{ 'os-stop': null }, { reboot: { type: 'HARD' } }])(
    'is refused for a server that was never placed: %p',
    async (body) => {
      compute.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No.'));
      const failed = await compute.buildServer();
      const response = await act(body, failed);
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        conflictingRequest: { message: expect.stringContaining('it was never placed on a host') },
      });
    },
  );
});

describe('a body without a supported action', () => {
  it.each([
    ['no key', {}],
    ['two keys', { 'os-start': null, 'os-stop': null }],
  ])('is refused: %s', async (_, body) => {
    const response = await act(body);
    expect([response.status, response.body]).toEqual([
      400,
      {
        badRequest: {
          code: 400,
          message:
            'Invalid input: the body must be an object with one key, which names the action.',
        },
      },
    ]);
  });

  it.each([
    ['a list', '[{"os-start": null}]'],
    ['null', 'null'],
  ])('is refused: %s', async (_, body) => {
    expect((await act(body)).body).toEqual({
      badRequest: { code: 400, message: 'Invalid input: the body must be an object.' },
    });
  });

  it.each(['explode', 'toString', '__proto__x'])('is refused: the action %s', async (name) => {
    const response = await act({ [name]: null });
    expect([response.status, response.body]).toEqual([
      400,
      { badRequest: { code: 400, message: `The server action '${name}' does not exist.` } },
    ]);
  });

  it.each([
    [{ reboot: {} }, 'reboot.type is required'],
    [{ reboot: { type: 'WARM' } }, 'reboot.type must be one of SOFT, HARD, Soft, Hard, soft, hard'],
    [{ reboot: null }, 'reboot is required'],
    [
      { reboot: { type: 'SOFT', now: true } },
      'reboot.now is not a property that this operation knows',
    ],
  ])('names the field that is wrong: %p', async (body, message) => {
    expect((await act(body)).body).toMatchObject({
      badRequest: { message: expect.stringContaining(message) },
    });
  });
});

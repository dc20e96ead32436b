import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

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

const act = (body: object, token = compute.token, minor = 73): Promise<TestResponse> =>
  compute.act(id, body, { token, minor });

const shown = async (minor: number): Promise<Record<string, unknown>> => {
  const response = await compute.client.get(`/servers/${id}`, {
    token: compute.token,
    headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
  });
  return (response.body as { server: Record<string, unknown> }).server;
};

const LOCKED = (): object => ({
  conflictingRequest: { code: 409, message: `Instance ${id} is locked` },
});

describe('a locked server', () => {
  beforeEach(async () => {
    expect((await act({ lock: null })).status).toBe(202);
  });

  it.each([
    { 'os-stop': null },
    { 'os-start': null },
    { reboot: { type: 'HARD' } },
    { forceDelete: null },
    { restore: null },
  ])('refuses its members %p, whatever its state', async (body) => {
    const response = await act(body);
    expect([response.status, response.body]).toEqual([409, LOCKED()]);
  });

  it('is not deleted by its members', async () => {
    const response = await compute.client.delete(`/servers/${id}`, { token: compute.token });
    expect([response.status, response.body]).toEqual([409, LOCKED()]);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('keeps its metadata', async () => {
    const response = await compute.client.post(`/servers/${id}/metadata`, {
      token: compute.token,
      body: { metadata: { role: 'web' } },
    });
    expect([response.status, response.body]).toEqual([409, LOCKED()]);
  });

  it('still shows what its guest wrote', async () => {
    expect((await act({ 'os-getConsoleOutput': {} })).status).toBe(200);
  });

  it('is stopped and deleted by an administrator', async () => {
    expect((await act({ 'os-stop': null }, admin)).status).toBe(202);
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
    const response = await compute.client.delete(`/servers/${id}`, { token: admin });
    expect(response.status).toBe(204);
    await compute.settle();
  });

  it('can be stopped once its owner has unlocked it', async () => {
    expect((await act({ unlock: null })).status).toBe(202);
    expect(await shown(73)).toMatchObject({ locked: false, locked_reason: null });
    expect((await act({ 'os-stop': null })).status).toBe(202);
    await compute.settle();
  });

  it('keeps its reason if its owner locks it again', async () => {
    await act({ unlock: null });
    await act({ lock: { locked_reason: 'payroll' } });
    expect((await act({ lock: { locked_reason: 'other' } })).status).toBe(202);
    expect(await shown(73)).toMatchObject({ locked: true, locked_reason: 'payroll' });
  });
});

describe('what an administrator of another project has locked', () => {
  it('its owner cannot unlock', async () => {
    await act({ lock: { locked_reason: 'abuse' } }, admin);
    const response = await act({ unlock: null });
    expect([response.status, response.body]).toEqual([
      403,
      {
        forbidden: {
          code: 403,
          message: `Instance ${id} was locked by an administrator; to unlock it needs the role admin.`,
        },
      },
    ]);
    expect((await act({ unlock: null }, admin)).status).toBe(202);
    expect(await shown(73)).toMatchObject({ locked: false });
  });
});

describe('a lock', () => {
  it('is shown since 2.9, and its reason since 2.73', async () => {
    await act({ lock: { locked_reason: 'payroll' } });
    expect(await shown(8)).not.toHaveProperty('locked');
    expect(await shown(72)).toMatchObject({ locked: true });
    expect(await shown(72)).not.toHaveProperty('locked_reason');
    expect(await shown(73)).toMatchObject({ locked: true, locked_reason: 'payroll' });
  });

  it.each([
    [{ locked_reason: 'x' }, 72, 'lock.locked_reason came with microversion 2.73'],
    [{ locked_reason: 'x'.repeat(256) }, 73, 'lock.locked_reason'],
    [{ why: 'x' }, 73, 'lock.why is not a property that this operation knows'],
  ])('names the field that is wrong: %p in 2.%i', async (lock, minor, message) => {
    const response = await act({ lock }, compute.token, minor);
    expect([response.status, response.body]).toEqual([
      400,
      { badRequest: { code: 400, message: expect.stringContaining(message) } },
    ]);
    expect(await shown(9)).toMatchObject({ locked: false });
  });
});

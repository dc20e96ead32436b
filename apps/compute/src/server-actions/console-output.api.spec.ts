import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  id = await compute.buildServer();
  const guest = compute.hypervisor.world.guest(id);
  guest.console = 'one\r\ntwo\r\nthree\r\n';
});

afterAll(async () => {
  await compute.stop();
});

const read = (options: unknown, server = id): Promise<TestResponse> =>
  compute.client.post(`/servers/${server}/action`, {
    token: compute.token,
    body: { 'os-getConsoleOutput': options },
  });

describe('console output', () => {
  it.each([
    [{}, 'one\r\ntwo\r\nthree\r\n'],
    [{ length: null }, 'one\r\ntwo\r\nthree\r\n'],
    [{ length: -1 }, 'one\r\ntwo\r\nthree\r\n'],
    [{ length: '-1' }, 'one\r\ntwo\r\nthree\r\n'],
    [{ length: 2 }, 'two\r\nthree\r\n'],
    [{ length: '1' }, 'three\r\n'],
    [{ length: 100 }, 'one\r\ntwo\r\nthree\r\n'],
    [{ length: 0 }, ''],
  ])('of %p', async (options, output) => {
    const response = await read(options);
    expect([response.status, response.body]).toEqual([200, { output }]);
  });

  it.each([{ length: 'many' }, { length: -2 }, { length: 1.5 }, { length: true }, { length: '' }])(
    'is refused for %p',
    async (options) => {
      const response = await read(options);
      expect([response.status, response.body]).toEqual([
        400,
        {
          badRequest: {
            code: 400,
            message:
              'Invalid input: os-getConsoleOutput.length must be a number of lines, or -1 for all.',
          },
        },
      ]);
    },
  );

  it('of a server that is off is its last output', async () => {
    const off = await compute.buildServer();
    await compute.client.post(`/servers/${off}/action`, {
      token: compute.token,
      body: { 'os-stop': null },
    });
    await compute.settle();
    expect((await read({}, off)).body).toEqual({ output: expect.stringContaining('login:') });
  });

  it('of a server without a host is a conflict', async () => {
    compute.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No.'));
    const failed = await compute.buildServer();
    const response = await read({}, failed);
    expect([response.status, response.body]).toEqual([
      409,
      {
        conflictingRequest: {
          code: 409,
          message: `Cannot 'get_console_output' instance ${failed} while it is in vm_state error`,
        },
      },
    ]);
  });

  it('that cannot be read now is 503', async () => {
    compute.hypervisor.failNext('consoleOutput', new HypervisorError('transient', 'Not now.'));
    const response = await read({});
    expect([response.status, response.body]).toEqual([
      503,
      { serviceUnavailable: { code: 503, message: 'Not now.' } },
    ]);
  });

  it('needs a member, as every action does', async () => {
    const token = await compute.tokens.issue(['reader'], { projectId: compute.projectId });
    const response = await compute.client.post(`/servers/${id}/action`, {
      token,
      body: { 'os-getConsoleOutput': {} },
    });
    expect(response.status).toBe(403);
  });
});

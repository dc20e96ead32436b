/** Two processes of compute on one database, each with a hypervisor host of its own. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import { freePort } from '@cumulet/testing/free-port';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';
import { ServerRepository } from '../servers/server.repository.js';
import { ServersService } from '../servers/servers.service.js';

let small: ComputeFixture;
let large: ComputeFixture;

beforeAll(async () => {
  small = await startCompute({ config: { host: 'small' } });
  const port = await freePort();
  large = await startCompute({
    beside: small,
    config: { host: 'large', port, hostApiUrl: `http://127.0.0.1:${port}` },
    hypervisor: new SimulatedHypervisor({ host: { memoryMb: 1_000_000 } }),
  });
});

afterAll(async () => {
  await large.stop();
  await small.stop();
});

const console_ = (through: ComputeFixture, id: string): Promise<TestResponse> =>
  through.client.post(`/servers/${id}/action`, {
    token: small.token,
    body: { 'os-getConsoleOutput': {} },
  });

describe('a server', () => {
  it('runs on the chosen host, whichever process got the request', async () => {
    const id = await small.buildServer();
    expect(await large.hypervisor.guests.list()).toContain(id);
    expect(await small.hypervisor.guests.list()).not.toContain(id);
  });

  it('shows its console through any process', async () => {
    const id = await small.buildServer();
    const expected = await large.hypervisor.consoles.consoleOutput(id);
    expect(expected).not.toBe('');
    expect((await console_(small, id)).body).toEqual({ output: expected });
    expect((await console_(large, id)).body).toEqual({ output: expected });
  });

  it('is interrupted through any process, and its history names each request once', async () => {
    const id = await small.buildServer();
    const headers = { 'OpenStack-API-Version': 'compute 2.79' };
    const { token } = small;
    const asked: (string | null)[] = [];
    for (const through of [small, large]) {
      const body = { trigger_crash_dump: null };
      const answer = await through.client.post(`/servers/${id}/action`, { token, headers, body });
      expect(answer.status).toBe(202);
      asked.unshift(answer.headers.get('x-compute-request-id'));
    }
    const path = `/servers/${id}/os-instance-actions`;
    const { body } = await small.client.get(path, { token, headers });
    const { instanceActions: actions } = body as { instanceActions: { request_id: string }[] };
    expect(actions.slice(0, -1)).toEqual(
      asked.map((request) =>
        expect.objectContaining({ action: 'trigger_crash_dump', request_id: request }),
      ),
    );
  });

  it('shows its diagnostics through any process, in the shape of the microversion', async () => {
    const id = await small.buildServer();
    const token = await small.tokens.issue(['admin']);
    const ask = (through: ComputeFixture, minor: number): Promise<TestResponse> =>
      through.client.get(`/servers/${id}/diagnostics`, {
        token,
        headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
      });
    for (const through of [small, large]) {
      const now = await ask(through, 48);
      expect(now.status).toBe(200);
      expect(now.body).toMatchObject({ hypervisor: 'simulated', num_cpus: 1, num_disks: 1 });
      const before = await ask(through, 47);
      expect(before.body).toMatchObject({ memory: 512 * 1024, cpu0_time: 0, vda_read: 0 });
      expect(before.body).not.toHaveProperty('hypervisor');
    }
  });

  it('shows its console to an application credential whose rules allow the public path', async () => {
    const id = await small.buildServer();
    const expected = await large.hypervisor.consoles.consoleOutput(id);
    const own = await small.tokens.issue(['service']);
    const rule = { service: 'compute', method: 'POST', path: '/v2.1/servers/*/action' };
    const token = await small.tokens.issue(['member', 'reader'], {
      projectId: small.projectId,
      delegation: {
        kind: 'application-credential',
        id: 'ac',
        unrestricted: false,
        accessRules: [rule],
      },
    });
    const tokens = small.app.nest.get(ServiceTokenSource);
    const issue = jest.spyOn(tokens, 'token').mockResolvedValue(own);
    const { body } = await small.client.post(`/v2.1/servers/${id}/action`, {
      token,
      body: { 'os-getConsoleOutput': {} },
    });
    issue.mockRestore();
    expect(body).toEqual({ output: expected });
  });

  it('has no console while its host is away', async () => {
    const id = await small.buildServer();
    await small.app.dataSource.query("UPDATE servers SET host = 'away' WHERE id = $1", [id]);
    const response = await console_(small, id);
    await small.app.dataSource.query("UPDATE servers SET host = 'large' WHERE id = $1", [id]);
    expect([response.status, response.body]).toEqual([
      503,
      {
        serviceUnavailable: {
          code: 503,
          message: `The host of instance ${id} does not respond.`,
        },
      },
    ]);
    expect(response.headers.get('retry-after')).toBe('5');
  });

  it('is worked on by its host also if it was placed since it was read', async () => {
    const id = await small.buildServer();
    const { nest, dataSource } = small.app;
    const ctx = RequestContext.system(newRequestId(), dataSource.manager);
    const read = await nest.get(ServerRepository).find(ctx, id);
    if (!read) throw new Error('the server is gone');
    const hold = large.hypervisor.hold('destroy');
    await nest
      .get(ServersService)
      .change(ctx, Object.assign(read, { host: null }), 'delete', 'delete');
    await hold.reached;
    hold.release();
    await small.settle();
    expect(await large.hypervisor.guests.list()).not.toContain(id);
  });
});

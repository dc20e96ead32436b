/** Usage of projects in a period. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;
let admin: string;
let running: string;
let gone: string;
let elsewhere: string;

/** The period of these tests, in which each server's times are set. */
const START = '2026-01-01T00:00:00';
const END = '2026-01-02T00:00:00';

beforeAll(async () => {
  // Deleted servers of the period are kept as long as the tests run.
  compute = await startCompute({ config: { keepDeletedDays: 36_500 } });
  admin = await compute.tokens.issue(['admin']);
  running = await compute.buildServer({ name: 'running', flavorRef: '3' });
  gone = await compute.buildServer({ name: 'gone' });
  await compute.client.delete(`/servers/${gone}`, { token: admin });
  const other = await compute.createServer({}, await compute.tokens.issue(['member']));
  elsewhere = (other.body as { server: { id: string } }).server.id;
  await compute.settle();
  const { dataSource } = compute.app;
  await dataSource.query(
    `UPDATE servers SET launched_at = CASE id WHEN $1 THEN timestamptz '2026-01-01T18:00Z'
                                              ELSE timestamptz '2025-12-01T00:00Z' END`,
    [running],
  );
  await dataSource.query(
    `UPDATE deleted_servers SET launched_at = '2025-12-31T00:00Z', deleted_at = '2026-01-01T06:00Z'`,
  );
  // A server that never ran counts for nothing.
  await compute.createServer({ availability_zone: 'nova', flavorRef: '5', name: 'never' });
  await compute.settle();
  await dataSource.query(`UPDATE servers SET launched_at = NULL WHERE name = 'never'`);
});
afterAll(() => compute.stop());

interface Usage {
  readonly tenant_id: string;
  readonly total_hours: number;
  readonly server_usages?: { readonly instance_id: string; readonly hours: number }[];
}

function ask(path: string, token = admin, minor = 96): Promise<TestResponse> {
  const headers = { 'OpenStack-API-Version': `compute 2.${minor}` };
  return compute.client.get(`/os-simple-tenant-usage${path}`, { token, headers });
}

async function list(query: string): Promise<Usage[]> {
  const response = await ask(`?start=${START}&end=${END}${query}`);
  expect(response.status).toBe(200);
  return (response.body as { tenant_usages: Usage[] }).tenant_usages;
}

async function show(query = `start=${START}&end=${END}`, token = compute.token): Promise<Usage> {
  const response = await ask(`/${compute.projectId}?${query}`, token);
  expect(response.status).toBe(200);
  return (response.body as { tenant_usage: Usage }).tenant_usage;
}

describe('the usage of a project', () => {
  it('has the hours of each server in the period, also of one that was deleted', async () => {
    const { server_usages: servers = [], ...sums } = await show();
    expect(sums).toEqual({
      tenant_id: compute.projectId,
      start: '2026-01-01T00:00:00.000000',
      stop: '2026-01-02T00:00:00.000000',
      total_hours: 12,
      total_vcpus_usage: 6 * 2 + 6 * 1,
      total_memory_mb_usage: 6 * 4096 + 6 * 512,
      total_local_gb_usage: 6 * 40 + 6 * 1,
    });
    expect(servers).toHaveLength(2);
    expect(servers).toContainEqual({
      instance_id: gone,
      name: 'gone',
      tenant_id: compute.projectId,
      flavor: 'm1.tiny',
      vcpus: 1,
      memory_mb: 512,
      local_gb: 1,
      hours: 6,
      state: 'terminated',
      started_at: '2025-12-31T00:00:00.000000',
      ended_at: '2026-01-01T06:00:00.000000',
      uptime: 30 * 3600,
    });
    expect(servers).toContainEqual(
      expect.objectContaining({ instance_id: running, hours: 6, state: 'active', ended_at: null }),
    );
  });

  it('shows the period to the microsecond, as requested', async () => {
    const query = 'start=2026-01-01 00:00:00.123456&end=2026-01-02T00:00:00.5';
    expect(await show(query)).toMatchObject({
      start: '2026-01-01T00:00:00.123456',
      stop: '2026-01-02T00:00:00.500000',
    });
  });

  it('is empty where no server existed', async () => {
    expect(await show('start=2020-01-01T00:00:00&end=2020-01-02T00:00:00')).toEqual({});
  });

  it('ends now, however late the period does', async () => {
    const { server_usages: [one] = [] } = await show(`start=${START}&end=2999-01-01T00:00:00`);
    expect(one?.hours).toBeLessThan(1_000_000);
  });

  it('is that of the present moment by default', async () => {
    expect(await show('')).toMatchObject({ total_hours: 0, server_usages: [{}] });
  });

  it('is for the project, and administrators', async () => {
    const token = await compute.tokens.issue(['member']);
    const { projectId: id } = compute;
    const message = `Project ${id} could not be found.`;
    expectError(await ask(`/${id}`, token), 404, 'itemNotFound', message);
    expect((await show(undefined, admin)).total_hours).toBe(12);
  });
});

describe('the usage of all projects', () => {
  it('has each project, with its servers on request', async () => {
    const usages = await list('');
    expect(usages.map(({ total_hours }) => total_hours).sort()).toEqual([12, 24]);
    for (const usage of usages) expect(usage).not.toHaveProperty('server_usages');
    const detailed = await list('&detailed=1');
    const ids = detailed.flatMap(({ server_usages: servers = [] }) =>
      servers.map(({ instance_id }) => instance_id),
    );
    expect(ids.sort()).toEqual([running, gone, elsewhere].sort());
  });

  it('has pages of servers since 2.40', async () => {
    const found: string[] = [];
    let path: string | undefined = `?start=${START}&end=${END}&detailed=1&limit=1`;
    while (path !== undefined) {
      const { body } = await ask(path);
      const page = body as { tenant_usages: Usage[]; tenant_usages_links?: { href: string }[] };
      const [usage] = page.tenant_usages;
      found.push(usage?.server_usages?.[0]?.instance_id ?? '');
      const href: string | undefined = page.tenant_usages_links?.[0]?.href;
      path = href?.slice(href.indexOf('?'));
    }
    expect(found.sort()).toEqual([running, gone, elsewhere].sort());
    const before = await ask(`?start=${START}&end=${END}&limit=1`, admin, 39);
    expect((before.body as { tenant_usages: Usage[] }).tenant_usages).toHaveLength(2);
  });

  it('is for administrators', async () => {
    expect((await ask('', compute.token)).status).toBe(403);
  });
});

describe('a period', () => {
  it.each([
    ['start=yesterday', 'start must be a time such as 2026-01-31T12:00:00'],
    ['end=2026-13-01T00:00:00', 'end must be a time'],
    ['start=2026-01-01', 'start must be a time'],
    [`start=${END}&end=${START}`, 'The start time cannot occur after the end time.'],
    [`start=${START}&end=${START}`, 'The start time cannot occur after the end time.'],
    ['limit=-1', 'limit'],
    ['marker=none', 'Marker none could not be found.'],
    ['marker=2f2fd1d4-b5a4-4a8e-9a4e-6d0ed8a5f1b7', 'not found'],
  ])('is refused with %s', async (query, message) => {
    const { status, text } = await ask(`?${query}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  });

  it.each(['2026-01-01T00:00:00.5', '2026-01-01%2000:00:00.000000', START])(
    'may begin at %s',
    async (start) => {
      expect((await ask(`?start=${start}&end=${END}`)).status).toBe(200);
    },
  );
});

describe('the audits of usage', () => {
  const audits = async (path: string): Promise<TestResponse> =>
    compute.client.get(`/os-instance_usage_audit_log${path}`, { token: admin });

  it('have run on no host', async () => {
    const { body } = await audits('/2026-03-15%2012:00:00');
    expect(body).toEqual({
      instance_usage_audit_log: {
        period_beginning: '2026-02-01 00:00:00',
        period_ending: '2026-03-01 00:00:00',
        num_hosts: 1,
        num_hosts_done: 0,
        num_hosts_running: 0,
        num_hosts_not_run: 1,
        hosts_not_run: ['host-1'],
        total_instances: 0,
        total_errors: 0,
        overall_status: '0 of 1 hosts done. 0 errors.',
        log: {},
      },
    });
    expect((await audits('')).status).toBe(200);
  });

  it('are refused before an invalid time', async () => {
    const message = 'Invalid timestamp for date yesterday';
    expectError(await audits('/yesterday'), 400, 'badRequest', message);
  });
});

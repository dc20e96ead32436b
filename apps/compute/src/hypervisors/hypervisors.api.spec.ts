import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';
import { addHost } from '../hosts/hosts.fixture.js';

let compute: ComputeFixture;
let admin: string;
let server: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  server = await compute.buildServer({ name: 'db' });
  await addHost(compute.ctx, 'other.example', {
    hypervisorType: 'QEMU',
    hypervisorVersion: '7.2.22',
    silentSeconds: 3600,
    vcpus: 4,
    memoryMb: 2048,
    diskGb: 20,
  });
});
afterAll(() => compute.stop());

const get = (path: string, minor = 1): Promise<TestResponse> =>
  compute.client.get(`/os-hypervisors${path}`, {
    token: admin,
    headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
  });

type Row = Readonly<Record<string, unknown>>;

async function list(path = '', minor = 1): Promise<Row[]> {
  return ((await get(path, minor)).body as { hypervisors: Row[] }).hypervisors;
}

async function first(minor: number): Promise<string> {
  return String((await list('', minor))[0]?.['id']);
}

describe('the list of hypervisors', () => {
  it('has their names and states', async () => {
    expect(await list()).toEqual([
      {
        id: expect.any(Number),
        hypervisor_hostname: 'host-1',
        state: 'up',
        status: 'enabled',
      },
      {
        id: expect.any(Number),
        hypervisor_hostname: 'other.example',
        state: 'down',
        status: 'enabled',
      },
    ]);
  });

  it('shows their resources and what is free', async () => {
    const [own, other] = await list('/detail');
    expect(own).toMatchObject({
      hypervisor_type: 'simulated',
      host_ip: expect.any(String),
      running_vms: 1,
      vcpus: 64,
      vcpus_used: 1,
      memory_mb: 262_144,
      memory_mb_used: 1024,
      free_ram_mb: 261_120,
      local_gb: 4096,
      local_gb_used: 1,
      free_disk_gb: 4095,
      current_workload: 0,
      disk_available_least: expect.any(Number),
      service: { id: own?.['id'], host: 'host-1', disabled_reason: null },
    });
    expect(JSON.parse(String(own?.['cpu_info']))).toMatchObject({
      topology: { sockets: expect.any(Number), cores: expect.any(Number) },
    });
    expect(other).toMatchObject({ hypervisor_version: 7_002_022, memory_mb_used: 512, vcpus: 4 });
  });

  it('has the processor as an object since 2.28', async () => {
    expect((await list('/detail', 28))[0]).toMatchObject({
      cpu_info: { arch: expect.any(String), features: expect.any(Array) },
    });
  });

  it('has pages since 2.33', async () => {
    expect(await list('?limit=1', 32)).toHaveLength(2);
    const { body } = await get('?limit=1', 33);
    const { hypervisors, hypervisors_links: links } = body as {
      hypervisors: Row[];
      hypervisors_links: { href: string }[];
    };
    expect(hypervisors).toMatchObject([{ hypervisor_hostname: 'host-1' }]);
    const next = new URL(links[0]?.href ?? '').search;
    expect(await list(next, 33)).toMatchObject([{ hypervisor_hostname: 'other.example' }]);
    expectError(await get('?marker=999', 33), 400, 'badRequest', 'marker [999] not found');
    expect(await list(`?marker=${await first(53)}`, 53)).toHaveLength(1);
    expectError(await get('?marker=1', 53), 400, 'badRequest', 'marker [1] not found');
  });

  it('has UUIDs, a part of the name and servers since 2.53', async () => {
    expect(await list('?hypervisor_hostname_pattern=OTHER', 53)).toMatchObject([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), hypervisor_hostname: 'other.example' },
    ]);
    const [own, other] = await list('?with_servers=true', 53);
    expect(own).toMatchObject({ servers: [{ name: 'db', uuid: server }] });
    expect(other).not.toHaveProperty('servers');
    expect((await list('/detail?with_servers=1', 75))[1]).toMatchObject({ servers: [] });
  });

  it('refuses a part of no name, and a page of such a part', async () => {
    expectError(
      await get('?hypervisor_hostname_pattern=x.y', 53),
      404,
      'itemNotFound',
      "No hypervisor matching 'x.y' could be found.",
    );
    expectError(
      await get('?hypervisor_hostname_pattern=host&limit=1', 53),
      400,
      'badRequest',
      'Paging over hypervisors with the hypervisor_hostname_pattern query parameter is not supported.',
    );
    expectError(
      await get('?hypervisor_hostname_pattern=%25', 53),
      400,
      'badRequest',
      /hypervisor_hostname_pattern must contain only letters/,
    );
  });

  it('has no statistics since 2.88, but uptimes', async () => {
    const [own, other] = await list('/detail', 88);
    expect(own).toMatchObject({ uptime: expect.stringContaining('load average') });
    expect(other).toMatchObject({ uptime: null });
    for (const gone of ['vcpus', 'free_ram_mb', 'cpu_info', 'running_vms'])
      expect(own).not.toHaveProperty(gone);
  });
});

describe('a hypervisor', () => {
  it('is shown by number until 2.52, and by UUID since', async () => {
    for (const minor of [1, 53]) {
      const { body } = await get(`/${await first(minor)}`, minor);
      expect(body).toMatchObject({ hypervisor: { hypervisor_hostname: 'host-1', vcpus: 64 } });
    }
    const { body } = await get(`/${await first(53)}?with_servers=true`, 53);
    expect(body).toMatchObject({ hypervisor: { servers: [{ uuid: server }] } });
  });

  it('is refused by any other id', async () => {
    const words = (id: string): string => `Hypervisor with ID '${id}' could not be found.`;
    expectError(await get('/999', 1), 404, 'itemNotFound', words('999'));
    expectError(await get('/x', 1), 404, 'itemNotFound', words('x'));
    expectError(await get('/7', 53), 400, 'badRequest', 'Invalid uuid 7');
    const unknown = unknownId();
    expectError(await get(`/${unknown}`, 53), 404, 'itemNotFound', words(unknown));
  });

  it('shows its uptime until 2.87, if it is up', async () => {
    const { body } = await get(`/${await first(53)}/uptime`, 53);
    expect(body).toMatchObject({
      hypervisor: { hypervisor_hostname: 'host-1', uptime: expect.stringContaining(' up ') },
    });
    const other = String((await list('', 53))[1]?.['id']);
    expectError(
      await get(`/${other}/uptime`, 53),
      400,
      'badRequest',
      'Compute service of other.example is unavailable at this time.',
    );
    expect((await get(`/${await first(88)}/uptime`, 88)).status).toBe(404);
  });

  it('is found with its servers by a part of its name until 2.52', async () => {
    expect(await list('/example/search')).toMatchObject([{ hypervisor_hostname: 'other.example' }]);
    expect(await list('/host/servers')).toMatchObject([{ servers: [{ uuid: server }] }]);
    expect((await get('/nowhere/servers')).status).toBe(404);
    expect((await get('/host/servers', 53)).status).toBe(404);
  });
});

describe('the sums of all hypervisors', () => {
  it('are those of the enabled ones', async () => {
    const { body } = await get('/statistics', 87);
    expect(body).toEqual({
      hypervisor_statistics: {
        count: 2,
        vcpus: 68,
        vcpus_used: 1,
        running_vms: 1,
        current_workload: 0,
        memory_mb: 264_192,
        memory_mb_used: 1536,
        free_ram_mb: 262_656,
        local_gb: 4116,
        local_gb_used: 1,
        free_disk_gb: 4115,
        disk_available_least: expect.any(Number),
      },
    });
    expect((await get('/statistics', 88)).status).toBe(404);
  });
});

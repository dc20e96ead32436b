/** Servers with demands on their place. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';

let east: ComputeFixture;
/** Has less room: servers without demands go to the other. */
let west: ComputeFixture;
let admin: string;

beforeAll(async () => {
  east = await startCompute({ config: { host: 'east-1' } });
  west = await startCompute({
    beside: east,
    config: { host: 'west-1', port: 0 },
    hypervisor: new SimulatedHypervisor({ host: { vcpus: 8, memoryMb: 16_384, diskGb: 100 } }),
  });
  admin = await east.tokens.issue(['admin', 'member', 'reader'], { projectId: east.projectId });
  for (const [zone, host] of [
    ['east', 'east-1'],
    ['west', 'west-1'],
  ]) {
    const request = { token: admin, body: { aggregate: { name: zone, availability_zone: zone } } };
    const { body } = await east.client.post('/os-aggregates', request);
    const { id } = (body as { aggregate: { id: number } }).aggregate;
    const add = { token: admin, body: { add_host: { host } } };
    await east.client.post(`/os-aggregates/${id}/action`, add);
  }
});
afterAll(async () => {
  await west.stop();
  await east.stop();
});
afterEach(() => east.deleteServers());

interface Asked {
  readonly server?: object;
  readonly hints?: object;
  readonly as?: string;
  readonly minor?: number;
}

function post({ server, hints, as = admin, minor = 1 }: Asked): Promise<TestResponse> {
  const basis = { name: 'one', imageRef: east.images.bootable, flavorRef: '1' };
  return east.client.post('/servers', {
    token: as,
    headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
    body: {
      server: { ...basis, ...(minor >= 37 ? { networks: 'none' } : {}), ...server },
      ...(hints ? { 'os:scheduler_hints': hints } : {}),
    },
  });
}

type Shown = Readonly<Record<string, unknown>>;

async function placed(asked: Asked): Promise<Shown & { readonly id: string }> {
  const { status, body, text } = await post(asked);
  if (status !== 202) throw new Error(text);
  const { id } = (body as { server: { id: string } }).server;
  await east.settle();
  const shown = await east.client.get(`/servers/${id}`, {
    token: admin,
    headers: { 'OpenStack-API-Version': 'compute 2.96' },
  });
  return (shown.body as { server: Shown & { id: string } }).server;
}

const HOST = 'OS-EXT-SRV-ATTR:host';
const ZONE = 'OS-EXT-AZ:availability_zone';

describe('a server with a requested zone', () => {
  it('goes there, stays pinned to it, and shows it', async () => {
    const server = await placed({ server: { availability_zone: 'west' }, as: east.token });
    expect(server).toMatchObject({
      status: 'ACTIVE',
      [HOST]: 'west-1',
      [ZONE]: 'west',
      pinned_availability_zone: 'west',
    });
    expect(await placed({})).toMatchObject({
      [HOST]: 'east-1',
      [ZONE]: 'east',
      pinned_availability_zone: null,
    });
  });

  it('is refused if the zone is unknown, or not available', async () => {
    const words = 'The requested availability zone is not available';
    const of = (zone: string) => post({ server: { availability_zone: zone } });
    expectError(await of('north'), 400, 'badRequest', words);
    expectError(await of('nova'), 400, 'badRequest', words);
    const { dataSource } = east.app;
    await dataSource.query("UPDATE hosts SET enabled = false WHERE name = 'west-1'");
    const disabled = await of('west');
    await dataSource.query('UPDATE hosts SET enabled = true');
    expectError(disabled, 400, 'badRequest', words);
  });

  it('shows it as long as it has no host', async () => {
    const server = { availability_zone: 'west', flavorRef: '5' };
    expect(await placed({ server })).toMatchObject({
      status: 'ERROR',
      [HOST]: null,
      [ZONE]: 'west',
    });
  });
});

describe('an administrator', () => {
  it.each(['west:west-1', 'west:west-1:west-1', 'west::west-1', ':west-1', 'east:west-1'])(
    'forces a host by %s',
    async (zone) => {
      const server = await placed({ server: { availability_zone: zone } });
      expect(server).toMatchObject({ status: 'ACTIVE', [HOST]: 'west-1', [ZONE]: 'west' });
    },
  );

  it('forces a disabled host', async () => {
    await east.app.dataSource.query("UPDATE hosts SET enabled = false WHERE name = 'west-1'");
    const server = await placed({ server: { availability_zone: 'west:west-1' } });
    await east.app.dataSource.query('UPDATE hosts SET enabled = true');
    expect(server).toMatchObject({ status: 'ACTIVE', [HOST]: 'west-1' });
  });

  it('requests a host since 2.74, which filters may refuse', async () => {
    for (const server of [{ host: 'west-1' }, { hypervisor_hostname: 'west-1' }])
      expect(await placed({ server, minor: 74 })).toMatchObject({ [HOST]: 'west-1' });
    const elsewhere = { host: 'west-1', availability_zone: 'east' };
    expect(await placed({ server: elsewhere, minor: 74 })).toMatchObject({
      status: 'ERROR',
      fault: { message: expect.stringContaining('AvailabilityZoneFilter refused 1 of 1') },
    });
  });

  it.each([
    [73, { host: 'west-1' }, 'server.host came with microversion 2.74'],
    [74, { host: 'nowhere' }, 'Compute host nowhere could not be found.'],
    [
      74,
      { host: 'west-1', hypervisor_hostname: 'east-1' },
      'Compute host east-1 could not be found.',
    ],
    [74, { host: 'west-1', availability_zone: 'west:west-1' }, 'are mutually exclusive.'],
    [74, { host: 'a b' }, 'server.host must contain only letters'],
    [1, { availability_zone: 'west:nowhere' }, 'Compute host nowhere could not be found.'],
    [1, { availability_zone: 'a:b:c:d' }, 'Unable to parse availability_zone'],
    [1, { availability_zone: 'a:b:c' }, 'Unable to parse availability_zone'],
    [1, { availability_zone: '' }, 'server.availability_zone must be longer'],
  ])('is refused in 2.%i: %j', async (minor, server, words) => {
    expectError(await post({ server, minor }), 400, 'badRequest', new RegExp(words));
  });
});

it('a member may not name a host', async () => {
  const words = (rule: string): string =>
    `Policy doesn't allow os_compute_api:servers:${rule} to be performed.`;
  const as = east.token;
  expectError(
    await post({ server: { availability_zone: 'west:west-1' }, as }),
    403,
    'forbidden',
    words('create:forced_host'),
  );
  expectError(
    await post({ server: { host: 'west-1' }, as, minor: 74 }),
    403,
    'forbidden',
    words('create:requested_destination'),
  );
});

describe('a hint', () => {
  it('places a server beside another, or apart from it', async () => {
    const { id } = await placed({ server: { availability_zone: 'west' } });
    expect(await placed({ hints: { same_host: id } })).toMatchObject({ [HOST]: 'west-1' });
    const apart = await placed({
      hints: { different_host: [id] },
      server: { availability_zone: 'west' },
    });
    expect(apart).toMatchObject({
      fault: { message: expect.stringContaining('DifferentHostFilter refused 1 of 1') },
    });
  });

  it("reveals nothing about the hosts of other projects' servers", async () => {
    const { id } = await placed({ server: { availability_zone: 'west' } });
    const as = await east.tokens.issue(['member', 'reader'], { projectId: newId() });
    const server = await placed({
      hints: { different_host: [id] },
      as,
      server: { availability_zone: 'west' },
    });
    expect(server).toMatchObject({ status: 'ACTIVE' });
  });

  it('may be a query, or have the older name', async () => {
    const query = '["=", "$host", "west-1"]';
    expect(await placed({ hints: { query } })).toMatchObject({ [HOST]: 'west-1' });
    const server = { name: 'one', imageRef: east.images.bootable, flavorRef: '1' };
    const { body } = await east.client.post('/servers', {
      token: admin,
      body: { server, 'OS-SCH-HNT:scheduler_hints': { query } },
    });
    await east.settle();
    const { id } = (body as { server: { id: string } }).server;
    expect(await east.show(id, admin)).toMatchObject({ [HOST]: 'west-1' });
  });

  it('that is unknown has no effect', async () => {
    expect(await placed({ hints: { own: { any: ['thing'] } } })).toMatchObject({
      status: 'ACTIVE',
    });
  });

  it.each([
    [{ group: 'web' }, 'os:scheduler_hints.group must be a UUID'],
    [{ query: '["~"]' }, 'os:scheduler_hints.query must begin with one of'],
    [{ own: 'a\0' }, 'must hold neither a null character'],
  ])('is refused as %j', async (hints, words) => {
    expectError(await post({ hints }), 400, 'badRequest', new RegExp(words));
  });

  it('with an unknown server finds no host', async () => {
    expect(await placed({ hints: { same_host: unknownId() } })).toMatchObject({
      fault: { message: expect.stringContaining('SameHostFilter refused 2 of 2') },
    });
  });
});

it('the metadata of aggregates decides flavors and ratios', async () => {
  const { body } = await east.client.get('/os-aggregates', { token: admin });
  const { aggregates } = body as { aggregates: { id: number; name: string }[] };
  const { id } = aggregates.find(({ name }) => name === 'west') ?? { id: 0 };
  const set = (metadata: object): Promise<TestResponse> =>
    east.client.post(`/os-aggregates/${id}/action`, {
      token: admin,
      body: { set_metadata: { metadata } },
    });
  await set({ fast: 'true', cpu_allocation_ratio: '0.1' });
  const specs = { 'aggregate_instance_extra_specs:fast': 'true' };
  await east.client.post('/flavors/1/os-extra_specs', {
    token: admin,
    body: { extra_specs: specs },
  });
  const full = await placed({});
  await set({ cpu_allocation_ratio: null });
  const fast = await placed({});
  await east.client.delete('/flavors/1/os-extra_specs/aggregate_instance_extra_specs:fast', {
    token: admin,
  });
  await set({ fast: null });
  expect(full).toMatchObject({
    fault: {
      message: expect.stringMatching(
        /VcpuFilter refused 1 of 2.*AggregateInstanceExtraSpecsFilter refused 1 of 1/,
      ),
    },
  });
  expect(fast).toMatchObject({ status: 'ACTIVE', [HOST]: 'west-1' });
});

it('an image runs only on hosts of its architecture', async () => {
  const imageRef = east.images.add({ properties: { hw_architecture: 'm68k' } });
  expect(await placed({ server: { imageRef } })).toMatchObject({
    fault: { message: expect.stringContaining('(no host has hw_architecture m68k)') },
  });
});

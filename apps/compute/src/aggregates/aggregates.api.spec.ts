import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';
import { addHost } from '../hosts/hosts.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  await addHost(compute.ctx, 'host-2', { silentSeconds: 3600 });
});
afterAll(() => compute.stop());
afterEach(async () => {
  await compute.deleteServers();
  await compute.app.dataSource.query('DELETE FROM aggregate_hosts');
  await compute.app.dataSource.query('DELETE FROM aggregates');
  await compute.app.dataSource.query('UPDATE hosts SET zone = NULL, enabled = true');
});

const at = (minor: number, token = admin) => ({
  token,
  headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
});

interface Aggregate {
  readonly id: number;
}

const post = (aggregate: object, minor = 1): Promise<TestResponse> =>
  compute.client.post('/os-aggregates', { ...at(minor), body: { aggregate } });

async function created(aggregate: object = {}): Promise<number> {
  const response = await post({ name: 'ssd', ...aggregate });
  expect(response.status).toBe(200);
  return (response.body as { aggregate: Aggregate }).aggregate.id;
}

const act = (id: number | string, body: object): Promise<TestResponse> =>
  compute.client.post(`/os-aggregates/${id}/action`, { ...at(1), body });

const addTo = (id: number, host: string): Promise<TestResponse> => act(id, { add_host: { host } });
const removeFrom = (id: number, host: string): Promise<TestResponse> =>
  act(id, { remove_host: { host } });
const put = (id: number, aggregate: object): Promise<TestResponse> =>
  compute.client.put(`/os-aggregates/${id}`, { ...at(1), body: { aggregate } });

const zones = async (path = '', token = admin): Promise<unknown> =>
  (
    (await compute.client.get(`/os-availability-zone${path}`, at(1, token))).body as {
      availabilityZoneInfo: unknown;
    }
  ).availabilityZoneInfo;

describe('an aggregate', () => {
  it('is created, listed, shown, changed and deleted', async () => {
    const base = {
      name: 'ssd',
      availability_zone: null,
      deleted: false,
      deleted_at: null,
      updated_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}$/),
    };
    const { body } = await post({ name: 'ssd' });
    const { aggregate } = body as { aggregate: Aggregate };
    expect(aggregate).toEqual({ ...base, id: expect.any(Number) });
    const { id } = aggregate;
    const shown = await compute.client.get(`/os-aggregates/${id}`, at(41));
    const whole = { ...base, id, hosts: [], metadata: {}, uuid: expect.any(String) };
    expect(shown.body).toEqual({ aggregate: whole });
    const list = await compute.client.get('/os-aggregates', at(40));
    expect(list.body).toEqual({ aggregates: [{ ...base, id, hosts: [], metadata: {} }] });
    const changed = await put(id, { name: ' fast ', availability_zone: 'east' });
    expect(changed.body).toMatchObject({
      aggregate: {
        name: 'fast',
        availability_zone: 'east',
        metadata: { availability_zone: 'east' },
        updated_at: expect.any(String),
      },
    });
    expect((await compute.client.delete(`/os-aggregates/${id}`, at(1))).status).toBe(200);
    const gone = await compute.client.get(`/os-aggregates/${id}`, at(1));
    expectError(gone, 404, 'itemNotFound', `Aggregate ${id} could not be found.`);
  });

  it.each([
    [{}, 'aggregate.name is required'],
    [{ name: '' }, 'aggregate.name must be longer than or equal to 1'],
    [{ name: ' x' }, 'aggregate.name must hold printable characters'],
    [{ name: 'x'.repeat(256) }, 'aggregate.name must be shorter than or equal to 255'],
    [{ name: 'a\tb' }, 'aggregate.name must hold printable characters'],
    [
      { name: 'x', availability_zone: 'a:b' },
      "aggregate.availability_zone must hold printable characters except ':'",
    ],
    [{ name: 'x', availability_zone: '' }, 'aggregate.availability_zone must be longer'],
    [{ name: 'x', hosts: [] }, 'aggregate.hosts is not a property'],
  ])('is refused as %j', async (aggregate, message) => {
    expectError(await post(aggregate), 400, 'badRequest', new RegExp(message));
  });

  it('has a unique name', async () => {
    await created();
    const id = await created({ name: 'other' });
    const words = 'Aggregate ssd already exists.';
    expectError(await post({ name: 'ssd' }), 409, 'conflictingRequest', words);
    expectError(await put(id, { name: 'ssd' }), 409, 'conflictingRequest', words);
  });

  it('refuses an empty change, and keeps its zone', async () => {
    const id = await created({ availability_zone: 'east' });
    expectError(await put(id, {}), 400, 'badRequest', /name or aggregate.availability_zone is req/);
    const words = 'Aggregate ssd does not support empty named availability zone';
    expectError(
      await put(id, { availability_zone: null }),
      400,
      'badRequest',
      `Cannot update aggregate ${id}. Reason: ${words}.`,
    );
    expectError(
      await act(id, { set_metadata: { metadata: { availability_zone: null } } }),
      400,
      'badRequest',
      `Cannot update metadata of aggregate ${id}. Reason: ${words}.`,
    );
  });

  it('is found by a number alone', async () => {
    const { status } = await compute.client.get('/os-aggregates/ssd', at(1));
    expect(status).toBe(400);
  });
});

describe('the metadata of an aggregate', () => {
  it('is merged, and null removes an item', async () => {
    const id = await created({ availability_zone: 'east' });
    await act(id, { set_metadata: { metadata: { disk: 'ssd', cpu: 'new' } } });
    const { body } = await act(id, { set_metadata: { metadata: { cpu: null, ram: 'ecc' } } });
    expect(body).toMatchObject({
      aggregate: { metadata: { disk: 'ssd', ram: 'ecc', availability_zone: 'east' } },
    });
    expect((body as { aggregate: { metadata: object } }).aggregate.metadata).not.toHaveProperty(
      'cpu',
    );
    const moved = await act(id, { set_metadata: { metadata: { availability_zone: 'west' } } });
    expect(moved.body).toMatchObject({ aggregate: { availability_zone: 'west' } });
  });

  it.each([
    { set_metadata: { metadata: { a: 1 } } },
    { set_metadata: { metadata: [] } },
    { set_metadata: { metadata: { ä: 'x' } } },
    { set_metadata: { metadata: { a: 'x'.repeat(256) } } },
    { set_metadata: {} },
    { add_host: { host: 'a b' } },
    { add_host: { host: 'a' }, remove_host: { host: 'a' } },
    {},
    { rename: {} },
  ])('and its hosts are not changed by %j', async (body) => {
    expect((await act(await created(), body)).status).toBe(400);
  });
});

describe('the hosts of an aggregate', () => {
  it('are added and removed', async () => {
    const id = await created();
    expect((await addTo(id, 'host-1')).body).toMatchObject({ aggregate: { hosts: ['host-1'] } });
    expectError(
      await addTo(id, 'host-1'),
      409,
      'conflictingRequest',
      `Aggregate ${id} already has host host-1.`,
    );
    expectError(
      await addTo(id, 'nowhere'),
      404,
      'itemNotFound',
      'Compute host nowhere could not be found.',
    );
    expectError(
      await compute.client.delete(`/os-aggregates/${id}`, at(1)),
      400,
      'badRequest',
      `Cannot remove host from aggregate ${id}. Reason: Host aggregate is not empty.`,
    );
    expect((await removeFrom(id, 'host-1')).body).toMatchObject({ aggregate: { hosts: [] } });
    expectError(
      await removeFrom(id, 'host-1'),
      404,
      'itemNotFound',
      `Cannot remove host host-1 in aggregate ${id}`,
    );
  });

  it('are in one zone at a time', async () => {
    const east = await created({ name: 'e', availability_zone: 'east' });
    const west = await created({ name: 'w', availability_zone: 'west' });
    await addTo(east, 'host-1');
    expectError(
      await addTo(west, 'host-1'),
      409,
      'conflictingRequest',
      `Cannot add host to aggregate ${west}. Reason: One or more hosts already in availability zone(s) ['east'].`,
    );
    const plain = await created({ name: 'p' });
    await addTo(plain, 'host-1');
    expectError(
      await put(plain, { availability_zone: 'west' }),
      400,
      'badRequest',
      `Cannot update aggregate ${plain}. Reason: One or more hosts already in availability zone(s) ['east'].`,
    );
  });

  it('stay in their zone while they have servers', async () => {
    const id = await compute.buildServer();
    const east = await created({ name: 'e', availability_zone: 'east' });
    expectError(
      await addTo(east, 'host-1'),
      409,
      'conflictingRequest',
      /would change from 'None' to 'east' but the host already has 1 instance/,
    );
    const plain = await created({ name: 'p' });
    await addTo(plain, 'host-1');
    expectError(
      await put(plain, { availability_zone: 'west' }),
      400,
      'badRequest',
      `Cannot update aggregate ${plain}. Reason: One or more hosts contain instances in this zone.`,
    );
    expect(await compute.show(id)).toMatchObject({ 'OS-EXT-AZ:availability_zone': 'nova' });
  });
});

describe('availability zones', () => {
  it('are those of hosts, and available while one of these is enabled', async () => {
    const zone = (zoneName: string, available = true) => ({
      zoneName,
      zoneState: { available },
      hosts: null,
    });
    expect(await zones('', compute.token)).toEqual([zone('nova')]);
    await addTo(await created({ availability_zone: 'east' }), 'host-1');
    expect(await zones('', compute.token)).toEqual([zone('east'), zone('nova')]);
    await compute.app.dataSource.query("UPDATE hosts SET enabled = false WHERE name = 'host-1'");
    expect(await zones('', compute.token)).toEqual([zone('nova'), zone('east', false)]);
  });

  it('show their hosts to administrators', async () => {
    const state = (available: boolean) => ({
      active: true,
      available,
      updated_at: expect.any(String),
    });
    const service = (available: boolean) => ({ 'nova-compute': state(available) });
    expect(await zones('/detail')).toEqual([
      {
        zoneName: 'internal',
        zoneState: { available: true },
        hosts: { 'host-1': { 'nova-scheduler': state(true), 'nova-conductor': state(true) } },
      },
      {
        zoneName: 'nova',
        zoneState: { available: true },
        hosts: { 'host-1': service(true), 'host-2': service(false) },
      },
    ]);
    const refused = await compute.client.get('/os-availability-zone/detail', {
      token: compute.token,
    });
    expect(refused.status).toBe(403);
  });
});

it('a service that is deleted leaves its aggregates', async () => {
  await addHost(compute.ctx, 'host-3');
  const id = await created();
  await addTo(id, 'host-3');
  const { body } = await compute.client.get('/os-services?host=host-3', at(53));
  const [service] = (body as { services: { id: string }[] }).services;
  const { status } = await compute.client.delete(`/os-services/${service?.id}`, at(53));
  expect(status).toBe(204);
  const shown = await compute.client.get(`/os-aggregates/${id}`, at(1));
  expect(shown.body).toMatchObject({ aggregate: { hosts: [] } });
});

it.each(['GET', 'DELETE'])('finds none of a negative id: %s', async (method) => {
  const response = await compute.client.send(method, '/os-aggregates/-1', at(1));
  expect(response.status).toBe(404);
});

describe('images that its hosts are to cache', () => {
  const cache = (id: number | string, ids: readonly string[], minor = 81, token = admin) =>
    compute.client.post(`/os-aggregates/${id}/images`, {
      ...at(minor, token),
      body: { cache: ids.map((image) => ({ id: image })) },
    });
  const wanted = (): Promise<unknown[]> =>
    compute.app.dataSource.query('SELECT host, image_id FROM wanted_images');
  const settled = (): Promise<void> =>
    eventually('nothing is wanted', async () => (await wanted()).length === 0);

  it('are fetched by those that are up, and used by servers', async () => {
    const image = compute.images.add({ id: randomUUID() }, Buffer.alloc(1024, randomUUID()));
    const id = await created();
    await addTo(id, 'host-1');
    await addTo(id, 'host-2');
    expect((await cache(id, [image])).status).toBe(202);
    await settled();
    const names = [...compute.hypervisor.world.images.keys()];
    expect(names.filter((name) => name.startsWith(image))).toHaveLength(1);
  });

  it('are dropped when they cannot be fetched, and do not hold up others', async () => {
    const image = compute.images.add({ id: randomUUID() }, Buffer.alloc(1024, randomUUID()));
    const queued = compute.images.add({ id: randomUUID(), status: 'queued' });
    const id = await created();
    await addTo(id, 'host-1');
    expect((await cache(id, [randomUUID(), queued, image])).status).toBe(202);
    await settled();
    const names = [...compute.hypervisor.world.images.keys()];
    expect(names.some((name) => name.startsWith(image))).toBe(true);
    expect(names.some((name) => name.startsWith(queued))).toBe(false);
  });

  it('are validated before anything is fetched', async () => {
    const id = await created();
    await addTo(id, 'host-1');
    const image = randomUUID();
    const twice = await cache(id, [image, image]);
    expectError(twice, 400, 'badRequest', 'Duplicate images in request');
    expect((await cache(id, [])).status).toBe(400);
    expect((await cache(id, ['micro'])).status).toBe(400);
    expect((await cache(99, [image])).status).toBe(404);
    expect((await cache(id, [image], 80)).status).toBe(404);
    expect((await cache(id, [image], 81, compute.token)).status).toBe(403);
    expect(await wanted()).toEqual([]);
  });
});

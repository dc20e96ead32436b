import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';
import { addHost } from '../hosts/hosts.fixture.js';
import { HostAgent } from '../host-agent/host-agent.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());
afterEach(async () => {
  await compute.deleteServers();
  await compute.app.dataSource.query(
    'UPDATE hosts SET enabled = true, disabled_reason = NULL, forced_down = false',
  );
});

const at = (minor: number) => ({
  token: admin,
  headers: { 'OpenStack-API-Version': `compute 2.${minor}` },
});

interface Service {
  readonly id: number | string;
  readonly status: string;
  readonly state: string;
  readonly zone: string;
}

async function services(minor = 1, query = '?binary=nova-compute'): Promise<Service[]> {
  const { body } = await compute.client.get(`/os-services${query}`, at(minor));
  return (body as { services: Service[] }).services;
}

const change = (what: string, body: object, minor = 1): Promise<TestResponse> =>
  compute.client.put(`/os-services/${what}`, { ...at(minor), body });

const named = { host: 'host-1', binary: 'nova-compute' };

describe('the list of services', () => {
  it('has one for each host', async () => {
    expect(await services()).toEqual([
      {
        binary: 'nova-compute',
        host: 'host-1',
        id: expect.any(Number),
        zone: 'nova',
        status: 'enabled',
        state: 'up',
        disabled_reason: null,
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      },
    ]);
  });

  it('shows forced_down since 2.11, and UUIDs since 2.53', async () => {
    expect(await services(11)).toMatchObject([{ id: expect.any(Number), forced_down: false }]);
    expect(await services(53)).toMatchObject([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), forced_down: false },
    ]);
  });

  it.each([
    ['?host=host-1', 3],
    ['?host=nowhere', 0],
    ['?binary=nova-compute', 1],
    ['?binary=nova-scheduler', 1],
    ['?binary=nova-conductor&host=host-1', 1],
    ['?binary=nova-conductor&host=nowhere', 0],
    ['?binary=nova-consoleauth', 0],
    ['?host=&binary=', 3],
  ])('is filtered by %s', async (query, count) => {
    expect(await services(1, query)).toHaveLength(count);
  });

  it('has one scheduler and one conductor, whatever the processes', async () => {
    await addHost(compute.ctx, 'host-2');
    const part = {
      host: 'host-1',
      zone: 'internal',
      status: 'enabled',
      state: 'up',
      disabled_reason: null,
      forced_down: false,
    };
    const parts = [
      { ...part, binary: 'nova-scheduler' },
      { ...part, binary: 'nova-conductor' },
    ];
    const shown = async (minor: number): Promise<Service[]> =>
      (await services(minor, '')).filter(({ zone }) => zone === 'internal');
    expect(await shown(53)).toMatchObject(parts);
    await change('disable', named);
    await change('force-down', { ...named, forced_down: true }, 11);
    expect(await shown(53)).toMatchObject(parts);
    const ids = [...(await shown(11)), ...(await shown(53))].map(({ id }) => id);
    expect(ids).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(new Set(ids).size).toBe(4);
    await compute.app.dataSource.query(
      "UPDATE hosts SET seen_at = now() - interval '1 minute' WHERE name = 'host-1'",
    );
    const moved = await shown(53);
    await compute.app.nest.get(HostAgent).report(compute.ctx);
    await compute.app.dataSource.query("DELETE FROM hosts WHERE name = 'host-2'");
    expect(moved).toMatchObject(parts.map((each) => ({ ...each, host: 'host-2' })));
  });

  it('shows one that is silent as down', async () => {
    await addHost(compute.ctx, 'gone', { silentSeconds: 13 });
    const found = await services(1, '?host=gone');
    await compute.app.dataSource.query("DELETE FROM hosts WHERE name = 'gone'");
    expect(found).toMatchObject([{ state: 'down', status: 'enabled' }]);
  });
});

describe('a service until 2.52', () => {
  it('is disabled, with a reason or without, and enabled', async () => {
    const disabled = await change('disable', named);
    expect(disabled.body).toEqual({ service: { ...named, status: 'disabled' } });
    expect(await services()).toMatchObject([{ status: 'disabled', disabled_reason: null }]);
    const reason = { disabled_reason: 'new memory' };
    const reasoned = await change('disable-log-reason', { ...named, ...reason });
    expect(reasoned.body).toEqual({ service: { ...named, status: 'disabled', ...reason } });
    expect(await services()).toMatchObject([{ status: 'disabled', ...reason }]);
    const enabled = await change('enable', named);
    expect(enabled.body).toEqual({ service: { ...named, status: 'enabled' } });
    expect(await services()).toMatchObject([{ status: 'enabled', disabled_reason: null }]);
  });

  it('is forced down since 2.11, and up again', async () => {
    expectError(await change('force-down', named, 10), 404, 'itemNotFound', 'Unknown action');
    const down = await change('force-down', { ...named, forced_down: true }, 11);
    expect(down.body).toEqual({ service: { ...named, forced_down: true } });
    expect(await services(11)).toMatchObject([{ state: 'down', forced_down: true }]);
    await change('force-down', { ...named, forced_down: 'false' }, 11);
    expect(await services(11)).toMatchObject([{ state: 'up', forced_down: false }]);
  });

  it.each([
    ['suspend', named, 404, 'itemNotFound', 'Unknown action'],
    ['disable-log-reason', named, 400, 'badRequest', 'Missing disabled reason field'],
    ['force-down', named, 400, 'badRequest', 'Missing forced_down field'],
    ['enable', { host: 'host-1' }, 400, 'badRequest', /binary is required/],
    ['enable', { ...named, forced: 1 }, 400, 'badRequest', /forced is not a property/],
    ['enable', { ...named, host: 'a b' }, 400, 'badRequest', /host must contain only letters/],
    [
      'enable',
      { ...named, host: 'nowhere' },
      404,
      'itemNotFound',
      'Could not find binary nova-compute on host nowhere.',
    ],
    [
      'enable',
      { ...named, binary: 'nova-api' },
      400,
      'badRequest',
      'Updating a nova-api service is not supported. Only nova-compute services can be updated.',
    ],
  ])('refuses to %s with %j', async (what, body, status, key, message) => {
    expectError(await change(what, body, 11), status, key, message);
  });
});

describe('a service since 2.53', () => {
  const id = async (): Promise<string> => String((await services(53))[0]?.id);

  it('is changed by its id, and shown with all properties', async () => {
    const body = { status: 'disabled', disabled_reason: 'fan', forced_down: true };
    const changed = await change(await id(), body, 53);
    expect(changed.body).toMatchObject({
      service: { ...named, ...body, state: 'down', zone: 'nova', id: await id() },
    });
    const again = await change(await id(), { status: 'enabled', forced_down: false }, 53);
    expect(again.body).toMatchObject({ service: { status: 'enabled', disabled_reason: null } });
  });

  it('refuses an empty change, and a reason for an enabled one', async () => {
    const nothing =
      "No updates were requested. Fields 'status' or 'forced_down' should be specified.";
    expectError(await change(await id(), {}, 53), 400, 'badRequest', nothing);
    expectError(await change(await id(), { disabled_reason: 'x' }, 53), 400, 'badRequest', nothing);
    expectError(
      await change(await id(), { status: 'enabled', disabled_reason: 'x' }, 53),
      400,
      'badRequest',
      "Specifying 'disabled_reason' with status 'enabled' is invalid.",
    );
    expectError(await change('enable', named, 53), 400, 'badRequest', /is not a property/);
    const [scheduler] = await services(53, '?binary=nova-scheduler');
    expectError(
      await change(String(scheduler?.id), { status: 'disabled' }, 53),
      400,
      'badRequest',
      'Updating a nova-scheduler service is not supported. Only nova-compute services can be updated.',
    );
    expectError(await change('7', { status: 'enabled' }, 53), 400, 'badRequest', 'Invalid uuid 7');
    const unknown = unknownId();
    expectError(
      await change(unknown, { status: 'enabled' }, 53),
      404,
      'itemNotFound',
      `Service ${unknown} could not be found.`,
    );
  });
});

describe('the deletion of a service', () => {
  const remove = (id: unknown, minor: number): Promise<TestResponse> =>
    compute.client.delete(`/os-services/${String(id)}`, at(minor));

  it('is refused while its host has servers', async () => {
    await compute.buildServer();
    const [service] = await services(53);
    const message =
      'Unable to delete compute service that is hosting instances. Migrate or delete the instances first.';
    expectError(await remove(service?.id, 53), 409, 'conflictingRequest', message);
  });

  it('removes the host until its agent reports again', async () => {
    const [before] = await services(53);
    expect((await remove(before?.id, 53)).status).toBe(204);
    await compute.app.nest.get(HostAgent).report(compute.ctx);
    const [after] = await services(53);
    expect(after).toMatchObject({ state: 'up', host: 'host-1' });
    expect(after?.id).not.toBe(before?.id);
  });

  it('of a cloud-wide one has no lasting effect', async () => {
    for (const minor of [1, 53]) {
      const [before] = await services(minor, '?binary=nova-conductor');
      expect((await remove(before?.id, minor)).status).toBe(204);
      expect(await services(minor, '?binary=nova-conductor')).toMatchObject([{ state: 'up' }]);
    }
  });

  it('is by number until 2.52', async () => {
    const [service] = await services();
    expect((await remove(service?.id, 1)).status).toBe(204);
    await compute.app.nest.get(HostAgent).report(compute.ctx);
    expectError(
      await remove('999999', 1),
      404,
      'itemNotFound',
      'Service 999999 could not be found.',
    );
    expectError(await remove('x', 1), 400, 'badRequest', /id must be an integer/);
    expectError(await remove('7', 53), 400, 'badRequest', 'Invalid uuid 7');
  });
});

it('keeps members out', async () => {
  const { status } = await compute.client.get('/os-services', { token: compute.token });
  expect(status).toBe(403);
});

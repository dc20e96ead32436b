/** Actions on servers, and their outcomes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCompute, unknownId, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute({ config: { quotaInstances: -1 } });
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());

interface Action {
  readonly action: string;
  readonly request_id: string;
  readonly updated_at: string;
  readonly events: object[];
}

interface Ask {
  readonly token?: string;
  readonly minor?: number;
}

async function ask(path: string, { token = compute.token, minor = 96 }: Ask = {}) {
  const headers = { 'OpenStack-API-Version': `compute 2.${minor}` };
  return compute.client.get(path, { token, headers });
}

async function list(id: string, query = '', how?: Ask): Promise<Action[]> {
  const response = await ask(`/servers/${id}/os-instance-actions${query}`, how);
  expect(response.status).toBe(200);
  return (response.body as { instanceActions: Action[] }).instanceActions;
}

async function show(id: string, request: string, how?: Ask): Promise<Action> {
  const response = await ask(`/servers/${id}/os-instance-actions/${request}`, how);
  expect(response.status).toBe(200);
  return (response.body as { instanceAction: Action }).instanceAction;
}

/** @returns the request ID */
async function act(id: string, body: object): Promise<string> {
  const response = await compute.act(id, body);
  expect(response.status).toBe(202);
  return response.headers.get('x-compute-request-id') ?? '';
}

async function remove(id: string): Promise<void> {
  await compute.client.delete(`/servers/${id}`, { token: compute.token });
  await compute.settle();
}

const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/);

describe('the actions on a server', () => {
  it('begin with its creation, which ended when it ran', async () => {
    const id = await compute.buildServer();
    const [create] = await list(id);
    expect(create).toEqual({
      action: 'create',
      instance_uuid: id,
      request_id: expect.stringMatching(/^req-/),
      user_id: expect.any(String),
      project_id: compute.projectId,
      start_time: TIME,
      updated_at: TIME,
      message: null,
    });
    expect((await show(id, create?.request_id ?? '', { token: admin })).events).toEqual([
      {
        event: 'compute__do_build_and_run_instance',
        start_time: TIME,
        finish_time: TIME,
        result: 'Success',
        host: 'host-1',
        hostId: expect.stringMatching(/^[0-9a-f]{56}$/),
        traceback: null,
        details: null,
      },
    ]);
  });

  it('are found by the ids of their requests, newest first', async () => {
    const id = await compute.buildServer();
    const stop = await act(id, { 'os-stop': null });
    await compute.settle();
    const start = await act(id, { 'os-start': null });
    await compute.settle();
    const actions = await list(id);
    expect(actions.map(({ action }) => action)).toEqual(['start', 'stop', 'create']);
    expect(actions.map(({ request_id }) => request_id).slice(0, 2)).toEqual([start, stop]);
    expect(await show(id, stop)).toMatchObject({ events: [{ event: 'compute_stop_instance' }] });
  });

  it('are limited to about a thousand for each server: the newest, and those in progress', async () => {
    const id = await compute.buildServer();
    const { dataSource } = compute.app;
    await dataSource.query(
      `INSERT INTO instance_actions (server_id, request_id, action, started_at, finished_at)
       SELECT $1, 'req-' || n, 'reboot', now() + n * interval '1 second',
              CASE WHEN n > 1 THEN now() END
         FROM generate_series(1, 1500) AS n`,
      [id],
    );
    const rows: { id: string }[] = await dataSource.query(
      'SELECT request_id AS id FROM instance_actions WHERE server_id = $1 ORDER BY started_at DESC',
      [id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(1_000);
    expect(rows.length).toBeLessThan(1_300);
    expect([rows[0]?.id, rows.at(-1)?.id]).toEqual(['req-1500', 'req-1']);
  });

  it('are of each server that one request creates', async () => {
    const response = await compute.createServer({ min_count: 2, return_reservation_id: true });
    await compute.settle();
    const rows: { id: string }[] = await compute.app.dataSource.query(
      'SELECT id FROM servers WHERE reservation_id = $1',
      [(response.body as { reservation_id: string }).reservation_id],
    );
    for (const { id } of rows)
      expect(await list(id)).toMatchObject([{ action: 'create', message: null }]);
    expect(rows).toHaveLength(2);
  });

  it('say why one failed', async () => {
    compute.hypervisor.failNext('ensureDisk', new HypervisorError('bad-image', 'No such disk.'));
    const id = await compute.buildServer();
    const [create] = await list(id);
    expect(create).toMatchObject({ action: 'create', message: 'No such disk.' });
    expect(await show(id, create?.request_id ?? '', { token: admin })).toMatchObject({
      events: [{ result: 'Error', details: 'No such disk.', traceback: null }],
    });
  });

  it('show one in progress, and the one that ended it', async () => {
    const hold = compute.hypervisor.hold('ensureDisk');
    const response = await compute.createServer();
    const { id } = (response.body as { server: { id: string } }).server;
    const [create] = await list(id);
    expect(await show(id, create?.request_id ?? '')).toMatchObject({
      events: [{ finish_time: null, result: null }],
    });
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    hold.release();
    await compute.settle();
    const [removed, created] = await list(id);
    expect(removed).toMatchObject({ action: 'delete', message: null });
    expect(created).toMatchObject({ message: "It was overtaken by the action 'delete'." });
  });

  it('include those that end with the request, which end no others', async () => {
    const hold = compute.hypervisor.hold('ensureDisk');
    const response = await compute.createServer();
    const { id } = (response.body as { server: { id: string } }).server;
    const lock = await act(id, { lock: null });
    await compute.act(id, { unlock: null }, { token: admin });
    hold.release();
    await compute.settle();
    expect(await list(id)).toMatchObject([
      { action: 'unlock', message: null },
      { action: 'lock', message: null },
      { action: 'create', message: null },
    ]);
    expect(await show(id, lock)).toMatchObject({ events: [] });
  });

  it("include an administrator's reset of the state", async () => {
    const id = await compute.buildServer();
    await compute.act(id, { 'os-resetState': { state: 'error' } }, { token: admin });
    expect(await list(id)).toMatchObject([{ action: 'resetState' }, { action: 'create' }]);
  });

  it('include a crash dump, with its outcome', async () => {
    const id = await compute.buildServer();
    const ask = (): Promise<unknown> =>
      compute.act(id, { trigger_crash_dump: null }, { minor: 17 });
    await ask();
    compute.hypervisor.failNext('injectInterrupt', new HypervisorError('transient', 'Not now.'));
    await ask();
    const [failed, done] = await list(id);
    expect(failed).toMatchObject({ action: 'trigger_crash_dump', message: 'Not now.' });
    expect(done).toMatchObject({ action: 'trigger_crash_dump', message: null });
    expect(await show(id, done?.request_id ?? '', { token: admin })).toMatchObject({
      events: [
        {
          event: 'compute_trigger_crash_dump',
          result: 'Success',
          host: 'host-1',
          finish_time: TIME,
        },
      ],
    });
  });

  it('do not include one that was refused', async () => {
    const id = await compute.buildServer();
    const response = await compute.client.post(`/servers/${id}/action`, {
      token: compute.token,
      body: { 'os-start': null },
    });
    expect(response.status).toBe(409);
    expect(await list(id)).toHaveLength(1);
  });
});

describe('the actions on a server that was deleted', () => {
  it('are found since 2.21, with the delete', async () => {
    const id = await compute.buildServer();
    await remove(id);
    expect(await list(id, '', { minor: 21 })).toMatchObject([
      { action: 'delete', message: null },
      { action: 'create' },
    ]);
    const [{ request_id: request } = { request_id: '' }] = await list(id);
    expect(await show(id, request)).toMatchObject({
      events: [{ event: 'compute_terminate_instance', result: 'Success', finish_time: TIME }],
    });
    const response = await ask(`/servers/${id}/os-instance-actions`, { minor: 20 });
    expectError(response, 404, 'itemNotFound', `Instance ${id} could not be found.`);
  });
});

describe('events', () => {
  it('are for administrators until 2.50', async () => {
    const id = await compute.buildServer();
    const [{ request_id: request } = { request_id: '' }] = await list(id);
    expect(await show(id, request, { minor: 50 })).not.toHaveProperty('events');
    expect(await show(id, request, { minor: 50, token: admin })).toHaveProperty('events');
    expect(await show(id, request, { minor: 51 })).toHaveProperty('events');
  });

  it('show their host and details to administrators alone', async () => {
    const id = await compute.buildServer();
    const [{ request_id: request } = { request_id: '' }] = await list(id);
    const [event] = (await show(id, request)).events;
    for (const name of ['host', 'details', 'traceback']) expect(event).not.toHaveProperty(name);
    expect(event).toHaveProperty('hostId');
  });
});

describe('the list of actions', () => {
  let id: string;
  beforeAll(async () => {
    id = await compute.buildServer();
    await act(id, { 'os-stop': null });
    await compute.settle();
  });

  it('has pages since 2.58', async () => {
    const first = await ask(`/servers/${id}/os-instance-actions?limit=1`);
    const body = first.body as { instanceActions: Action[]; links: { href: string }[] };
    expect(body.instanceActions).toMatchObject([{ action: 'stop' }]);
    const marker = body.instanceActions[0]?.request_id ?? '';
    expect(body.links).toEqual([
      { rel: 'next', href: expect.stringMatching(new RegExp(`limit=1&marker=${marker}$`)) },
    ]);
    expect(await list(id, `?limit=1&marker=${marker}`)).toMatchObject([{ action: 'create' }]);
    expect(await list(id, '?limit=0')).toEqual([]);
    expect(await list(id, '?limit=1', { minor: 57 })).toHaveLength(2);
  });

  it('is filtered by the time of the last change', async () => {
    const [stop] = await list(id);
    const since = `${stop?.updated_at ?? ''}Z`;
    expect(await list(id, `?changes-since=${since}`)).toMatchObject([{ action: 'stop' }]);
    const before = new Date(Date.parse(since) - 1).toISOString();
    expect(await list(id, `?changes-before=${before}`)).toMatchObject([{ action: 'create' }]);
  });

  it.each([
    ['limit=-1', 'limit'],
    ['limit=x', 'limit'],
    ['marker=req-none', 'Marker req-none could not be found.'],
    ['changes-since=yesterday', 'changes-since'],
    [
      'changes-since=2026-01-02&changes-before=2026-01-01',
      'The value of changes-since must be less than or equal to changes-before.',
    ],
  ])('refuses %s', async (query, message) => {
    const { status, text } = await ask(`/servers/${id}/os-instance-actions?${query}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  });

  it('knows changes-before since 2.66', async () => {
    const query = '?changes-before=2026-01-01';
    const response = await ask(`/servers/${id}/os-instance-actions${query}`, { minor: 65 });
    expect(response.status).toBe(400);
  });
});

describe('an unknown action', () => {
  it.each(['', '/req-none'])('is not found of an unknown server: %s', async (path) => {
    const id = unknownId();
    const response = await ask(`/servers/${id}/os-instance-actions${path}`);
    expectError(response, 404, 'itemNotFound', `Instance ${id} could not be found.`);
  });

  it('is not found of another project', async () => {
    const id = await compute.buildServer();
    const token = await compute.tokens.issue(['member']);
    expect((await ask(`/servers/${id}/os-instance-actions`, { token })).status).toBe(404);
  });

  it('is not found by the id of a request that did nothing to the server', async () => {
    const id = await compute.buildServer();
    const response = await ask(`/servers/${id}/os-instance-actions/req-none`);
    expectError(response, 404, 'itemNotFound', 'Action req-none not found');
  });
});

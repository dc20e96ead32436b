import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages } from '../images.fixture.js';
import type { Task } from '../images/tasks/task.entity.js';
import { newImportTask, TaskRepository } from '../images/tasks/task.repository.js';

const URI = 'http://127.0.0.1:9/noble.img?signature=ours';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({ webDownloadAllowPrivate: true, webDownloadPorts: [9] });
});
afterAll(() => images.stop());

type WireTask = Readonly<Record<string, unknown>> & { readonly id: string };

const get = (path: string, token: string): Promise<TestResponse> =>
  images.client.get(path, { token });

async function tasksOf(imageId: string, token = images.member): Promise<WireTask[]> {
  const { body } = await get(`/v2/images/${imageId}/tasks`, token);
  return (body as { tasks: WireTask[] }).tasks;
}

async function importStaged(
  fields: object = {},
): Promise<{ id: string; requestId: string | null }> {
  const { id } = await images.create(fields);
  await images.client.put(`/v2/images/${id}/stage`, {
    token: images.member,
    body: 'data',
    headers: { 'Content-Type': 'application/octet-stream' },
  });
  const { headers } = await images.client.post(`/v2/images/${id}/import`, {
    token: images.member,
    body: { method: { name: 'glance-direct' }, all_stores_must_succeed: true },
  });
  return { id, requestId: headers.get('x-openstack-request-id') };
}

async function importFrom(uri: string): Promise<string> {
  const { id } = await images.create();
  await images.client.post(`/v2/images/${id}/import`, {
    token: images.member,
    body: { method: { name: 'web-download', uri } },
  });
  return id;
}

async function ended(imageId: string): Promise<WireTask> {
  let task: WireTask | undefined;
  await eventually(`the import of ${imageId} has ended`, async () => {
    [task] = await tasksOf(imageId, images.admin);
    return task?.['status'] === 'success' || task?.['status'] === 'failure';
  });
  return task as WireTask;
}

describe('GET /v2/images/{image_id}/tasks', () => {
  it('shows the result of an import, as Glance stores it', async () => {
    const { id, requestId } = await importStaged();
    await ended(id);
    const [task, ...more] = await tasksOf(id, images.reader);
    expect(more).toEqual([]);
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      image_id: id,
      request_id: requestId,
      user_id: expect.any(String),
      type: 'api_image_import',
      status: 'success',
      owner: images.project,
      input: {
        image_id: id,
        import_req: { method: { name: 'glance-direct' }, all_stores_must_succeed: true },
        backend: ['memory'],
      },
      result: { image_id: id },
      message: '',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      updated_at: expect.any(String),
      expires_at: expect.any(String),
      deleted_at: null,
      deleted: false,
    });
  });

  it('shows why an import failed, and its request', async () => {
    const id = await importFrom(URI);
    await ended(id);
    const [task] = await tasksOf(id);
    expect(task).toMatchObject({
      status: 'failure',
      result: null,
      message: 'The download from 127.0.0.1:9 broke off: it refuses connections.',
      input: { import_req: { method: { name: 'web-download', uri: URI } } },
    });
  });

  it('hides the secrets of a URI from administrators', async () => {
    const id = await importFrom(URI);
    const task = await ended(id);
    const uri = 'http://127.0.0.1:9/…';
    const shown = { image_id: id, import_req: { method: { name: 'web-download', uri } } };
    expect(task['input']).toMatchObject(shown);
    const { body } = await get(`/v2/tasks/${task.id}`, images.admin);
    expect(body).toMatchObject({ input: shown });
  });

  it('hides the requests of other projects', async () => {
    const { id } = await importStaged({ visibility: 'community' });
    await ended(id);
    expect(await tasksOf(id, images.stranger)).toEqual([]);
    expect(await tasksOf(id, images.admin)).toHaveLength(1);
  });

  it('answers 404 for an invisible image', async () => {
    const { id } = await images.create();
    expect(await tasksOf(id)).toEqual([]);
    expect((await get(`/v2/images/${id}/tasks`, images.stranger)).status).toBe(404);
    expect((await get(`/v2/images/${newId()}/tasks`, images.member)).status).toBe(404);
  });
});

describe('GET /v2/tasks/{task_id}', () => {
  it('shows a task to administrators', async () => {
    const { id } = await importStaged();
    const task = await ended(id);
    const { status, body } = await get(`/v2/tasks/${task.id}`, images.admin);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: task.id,
      type: 'api_image_import',
      status: 'success',
      owner: images.project,
      input: task['input'],
      result: { image_id: id },
      message: '',
      image_id: id,
      request_id: task['request_id'],
      user_id: task['user_id'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: expect.any(String),
      expires_at: expect.any(String),
      self: `/v2/tasks/${task.id}`,
      schema: '/v2/schemas/task',
    });
    const { created_at: from, expires_at: to } = body as Record<string, string>;
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBeGreaterThanOrEqual(48 * 3_600_000);
  });

  it("refuses others, as by Glance's default", async () => {
    const { id } = await importStaged();
    const task = await ended(id);
    expect((await get(`/v2/tasks/${task.id}`, images.member)).status).toBe(403);
    expect((await get('/v2/tasks', images.member)).status).toBe(403);
  });

  it.each([newId(), 'nonsense'])('answers 404 for %s', async (id) => {
    const response = await get(`/v2/tasks/${id}`, images.admin);
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toBe(`No task found with ID ${id}.`);
  });

  it('does not allow deleting a task', async () => {
    const response = await images.client.delete(`/v2/tasks/${newId()}`, { token: images.admin });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('GET /v2/tasks', () => {
  const owner = newId();
  /** Without a worker, whose sweep would end tasks of missing images. */
  let listing: TestImages;
  let tasks: Task[];

  beforeAll(async () => {
    listing = await TestImages.start({ role: 'api' });
    const repository = new TaskRepository();
    const ctx = RequestContext.system('req-test', listing.app.dataSource.manager);
    tasks = [];
    for (let at = 0; at < 5; at += 1) {
      const row = newImportTask(ctx, asId(owner), asId(newId()), {});
      const task = await repository.insert(ctx, row);
      tasks.push(task);
      if (at < 3) {
        const end = at === 0 ? failure : success;
        await repository.end(ctx, task.imageId ?? asId(''), end, 48);
      }
      // Rows of one millisecond would be listed by ID.
      await ctx.manager.query(
        `UPDATE tasks SET created_at = created_at + $2 * interval '1 second' WHERE id = $1`,
        [task.id, at],
      );
    }
  });

  afterAll(() => listing.stop());

  const getList = (query: string): Promise<TestResponse> =>
    listing.client.get(`/v2/tasks?${query}`, { token: listing.admin });

  const success = { status: 'success', result: {} } as const;
  const failure = { status: 'failure', message: 'no' } as const;

  async function list(query: string): Promise<{ ids: string[]; next: string | undefined }> {
    const { status, body, text } = await getList(query);
    if (status !== 200) throw new Error(text);
    const { tasks: page, next } = body as { tasks: WireTask[]; next?: string };
    return { ids: page.filter((task) => task['owner'] === owner).map(({ id }) => id), next };
  }

  it('lists the newest first, without long fields', async () => {
    const { body } = await getList('');
    const { first, schema, tasks: page } = body as Record<string, unknown>;
    expect([first, schema]).toEqual(['/v2/tasks', '/v2/schemas/tasks']);
    const [newest] = page as WireTask[];
    expect(Object.keys(newest ?? {}).sort()).toEqual(
      ['created_at', 'id', 'owner', 'schema', 'self', 'status', 'type', 'updated_at'].sort(),
    );
    const ids = tasks.map(({ id }) => id).reverse();
    expect((await list('')).ids).toEqual(ids);
    expect((await list('sort_dir=asc')).ids).toEqual([...ids].reverse());
  });

  it.each([
    ['status=failure', [0]],
    ['status=success', [1, 2]],
    ['status=pending', [3, 4]],
    ['status=processing', []],
    ['type=import', []],
    ['type=api_image_import&status=failure', [0]],
    ['nonsense=1&status=failure', [0]],
  ])('filters by %s', async (query, found) => {
    const { ids } = await list(query);
    expect(ids.sort()).toEqual(found.map((at) => tasks[at]?.id).sort());
  });

  it.each(['created_at', 'updated_at', 'expires_at', 'id', 'owner', 'status', 'type'])(
    'pages by marker in the order of %s, and lists each once',
    async (key) => {
      const whole = (await list(`sort_key=${key}&limit=1000`)).ids;
      expect(whole).toHaveLength(5);
      const paged: string[] = [];
      let next: string | undefined = `/v2/tasks?limit=2&sort_key=${key}`;
      while (next !== undefined) {
        const page: Awaited<ReturnType<typeof list>> = await list(next.split('?')[1] ?? '');
        paged.push(...page.ids);
        next = page.next;
      }
      expect(paged).toEqual(whole);
    },
  );

  it.each([
    'limit=x',
    'limit=-1',
    'status=done',
    'type=export',
    'sort_key=input',
    'sort_dir=up',
    'marker=nonsense',
    `marker=${newId()}`,
  ])('refuses %s', async (query) => {
    const response = await getList(query);
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain(query.split('=')[0]);
  });
});

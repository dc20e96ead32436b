import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;
/** Another project than the member's. */
let admin: string;
let reader: string;

beforeAll(async () => {
  compute = await startCompute();
  const { tokens, projectId } = compute;
  admin = await tokens.issue(['admin']);
  reader = await tokens.issue(['reader'], { projectId });
  compute.projects.add(projectId);
});
beforeEach(async () => {
  await compute.deleteServers();
  await compute.app.dataSource.query('TRUNCATE quota_limits');
});
afterAll(() => compute.stop());

interface Ask {
  readonly token?: string;
  readonly version?: string;
  readonly id?: string;
  readonly body?: object | undefined;
}

function ask(method: string, tail: string, options: Ask = {}): Promise<TestResponse> {
  const { token = admin, version = '2.1', id = compute.projectId, body } = options;
  const headers = { 'OpenStack-API-Version': `compute ${version}` };
  return compute.client.send(method, `/os-quota-sets/${id}${tail}`, { token, headers, body });
}

const set = (limits: object, options: Ask = {}): Promise<TestResponse> =>
  ask('PUT', '', { body: { quota_set: limits }, ...options });

const quotaSet = ({ body }: TestResponse): Record<string, unknown> =>
  (body as { quota_set: Record<string, unknown> }).quota_set;

const FROM_57 = {
  instances: 10,
  cores: 20,
  ram: 51_200,
  metadata_items: 128,
  key_pairs: 100,
  server_groups: 10,
  server_group_members: 10,
};
const FROM_36 = {
  ...FROM_57,
  injected_files: 5,
  injected_file_content_bytes: 10_240,
  injected_file_path_bytes: 255,
};
const FROM_1 = {
  ...FROM_36,
  fixed_ips: -1,
  floating_ips: -1,
  security_groups: -1,
  security_group_rules: -1,
};

describe('GET /os-quota-sets/{tenant_id}', () => {
  it.each([
    ['2.1', FROM_1],
    ['2.35', FROM_1],
    ['2.36', FROM_36],
    ['2.56', FROM_36],
    ['2.57', FROM_57],
    ['2.96', FROM_57],
  ])('shows the quotas of %s, which are the defaults', async (version, limits) => {
    for (const tail of ['', '/defaults']) {
      const response = await ask('GET', tail, { version, token: reader });
      expect([response.status, response.body]).toEqual([
        200,
        { quota_set: { id: compute.projectId, ...limits } },
      ]);
    }
  });

  it('shows in detail what is in use', async () => {
    await compute.buildServer();
    await compute.buildServer({ flavorRef: '2' });
    const response = await ask('GET', '/detail', { token: reader, version: '2.96' });
    expect(quotaSet(response)).toMatchObject({
      id: compute.projectId,
      instances: { limit: 10, in_use: 2, reserved: 0 },
      cores: { limit: 20, in_use: 2, reserved: 0 },
      metadata_items: { limit: 128, in_use: 0, reserved: 0 },
    });
    const servers: { ram: string }[] = await compute.app.dataSource.query(
      'SELECT sum(memory_mb) AS ram FROM servers',
    );
    const { ram } = quotaSet(response) as { ram: { in_use: number } };
    expect(ram.in_use).toBe(Number(servers[0]?.ram));
  });

  it.each(['', '/detail'])('finds no project of others: %s', async (tail) => {
    const id = compute.projects.add();
    const message = `Project ${id} could not be found.`;
    expectError(await ask('GET', tail, { id, token: reader }), 404, 'itemNotFound', message);
    expect((await ask('GET', tail, { id })).status).toBe(200);
  });

  it.each(['', '/detail'])(
    'tells an administrator that the project does not exist: %s',
    async (tail) => {
      const message = 'Project ID nowhere is not a valid project.';
      expectError(await ask('GET', tail, { id: 'nowhere' }), 400, 'badRequest', message);
    },
  );

  it('shows those of the project for each of its users', async () => {
    await set({ cores: 5 });
    const response = await ask('GET', '?user_id=me', { token: reader });
    expect(quotaSet(response)).toEqual({ id: compute.projectId, ...FROM_1, cores: 5 });
  });

  it.each([
    ['GET', '/detail'],
    ['PUT', ''],
    ['DELETE', ''],
  ])('neither counts nor sets anything by user: %s %s', async (method, tail) => {
    const body = method === 'PUT' ? { quota_set: { cores: 1 } } : undefined;
    expectError(
      await ask(method, `${tail}?user_id=me`, { body }),
      400,
      'badRequest',
      'Invalid input: user_id is not supported: quotas are of projects, not of their users.',
    );
    expect(quotaSet(await ask('GET', ''))).toMatchObject({ cores: 20 });
  });
});

describe('PUT /os-quota-sets/{tenant_id}', () => {
  it('changes named quotas of this project only, and answers without its id', async () => {
    const response = await set({ cores: 5, instances: '-1' }, { version: '2.57' });
    expect([response.status, response.body]).toEqual([
      200,
      { quota_set: { ...FROM_57, cores: 5, instances: -1 } },
    ]);
    await set({ ram: 2048 });
    expect(quotaSet(await ask('GET', '', { token: reader }))).toMatchObject({
      cores: 5,
      instances: -1,
      ram: 2048,
    });
    expect(quotaSet(await ask('GET', '', { id: compute.projects.add() }))).toMatchObject(FROM_1);
    expect(quotaSet(await ask('GET', '/defaults'))).toMatchObject(FROM_1);
  });

  it('applies to the next server', async () => {
    await set({ instances: 1 });
    await compute.buildServer();
    const message = 'Quota exhausted for instances: all 1 are in use';
    expectError(await compute.createServer(), 413, 'overLimit', message);
    await set({ instances: 2 });
    await compute.buildServer();
  });

  it("never lets concurrent servers share a project's last place", async () => {
    await set({ instances: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => compute.createServer()));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
  });

  it('refuses less than what is in use, unless it is forced', async () => {
    await compute.buildServer();
    await compute.buildServer();
    expectError(
      await set({ ram: 100_000, cores: 1 }),
      400,
      'badRequest',
      'Quota limit 1 for cores must be greater than or equal to already used and reserved 2.',
    );
    expect(quotaSet(await ask('GET', ''))).toMatchObject({ ram: 51_200, cores: 20 });
    expect(quotaSet(await set({ cores: 1, force: 'True' }))).toMatchObject({ cores: 1 });
    const detail = await ask('GET', '/detail');
    expect(quotaSet(detail)).toMatchObject({ cores: { limit: 1, in_use: 2 } });
    expect((await compute.createServer()).status).toBe(413);
  });

  it.each<[object, string]>([
    [{ cores: -2 }, 'quota_set.cores must not be less than -1'],
    [{ cores: 2_147_483_648 }, 'quota_set.cores must not be greater than 2147483647'],
    [{ cores: 1.5 }, 'quota_set.cores must be an integer number'],
    [{ cores: 'many' }, 'quota_set.cores must be an integer number'],
    [{ cores: null }, 'quota_set.cores must be an integer number'],
    [{ volumes: 5 }, 'quota_set.volumes is not a property that this operation knows'],
    [{ cores: 5, force: 'perhaps' }, 'quota_set.force must be a boolean value'],
  ])('refuses %j, and changes nothing', async (limits, message) => {
    const response = await set({ ram: 1, ...limits });
    expectError(response, 400, 'badRequest', `Invalid input: ${message}.`);
    expect(quotaSet(await ask('GET', ''))).toMatchObject(FROM_1);
  });

  it('refuses a body without quotas', async () => {
    const message = 'Invalid input: quota_set is required.';
    expectError(await ask('PUT', '', { body: {} }), 400, 'badRequest', message);
  });

  it.each([
    ['floating_ips', '2.36', '2.35'],
    ['injected_files', '2.57', '2.56'],
  ])('no longer has %s in %s', async (name, version, last) => {
    expectError(
      await set({ [name]: 7 }, { version }),
      400,
      'badRequest',
      `Invalid input: quota_set.${name} ended with microversion ${last}; the request is for ${version}.`,
    );
    expect(quotaSet(await set({ [name]: 7 }, { version: last }))).toMatchObject({ [name]: 7 });
  });

  it('is for administrators, and for projects that exist', async () => {
    expect((await set({ cores: 5 }, { token: compute.token })).status).toBe(403);
    const message = 'Project ID nowhere is not a valid project.';
    expectError(await set({ cores: 5 }, { id: 'nowhere' }), 400, 'badRequest', message);
    const rows: unknown = await compute.app.dataSource.query('SELECT FROM quota_limits');
    expect(rows).toEqual([]);
  });
});

describe('DELETE /os-quota-sets/{tenant_id}', () => {
  it('restores the defaults, also of a project that is gone or has them', async () => {
    await set({ cores: 5 });
    for (const id of [compute.projectId, compute.projectId, 'nowhere']) {
      const response = await ask('DELETE', '', { id });
      expect([response.status, response.text]).toEqual([202, '']);
    }
    expect(quotaSet(await ask('GET', ''))).toMatchObject(FROM_1);
  });

  it('is for administrators', async () => {
    await set({ cores: 5 });
    expect((await ask('DELETE', '', { token: compute.token })).status).toBe(403);
    expect(quotaSet(await ask('GET', ''))).toMatchObject({ cores: 5 });
  });
});

describe('what limits a single request', () => {
  const file = { path: '/motd', contents: Buffer.from('hello').toString('base64') };

  it("is the project's quota of metadata", async () => {
    await set({ metadata_items: 1 });
    const message = 'Quota exceeded for metadata_items: requested 2, a request may have 1';
    const response = await compute.createServer({ metadata: { a: '1', b: '2' } });
    expectError(response, 403, 'forbidden', message);
    expect((await compute.createServer({ metadata: { a: '1' } })).status).toBe(202);
  });

  it.each([
    ['injected_files', 0, 'limit exceeded, with 1 files: at most 0.'],
    ['injected_file_path_bytes', 4, 'path is too long, with 5 bytes: at most 4.'],
    ['injected_file_content_bytes', 4, 'content of /motd is too large, with 5 bytes: at most 4.'],
  ])('is the quota of %s', async (name, limit, message) => {
    await set({ [name]: limit });
    const refused = await compute.createServer({ personality: [file] });
    expectError(refused, 403, 'forbidden', `Personality file ${message}`);
    await set({ [name]: -1 });
    expect((await compute.createServer({ personality: [file] })).status).toBe(202);
  });
});

describe('/os-quota-class-sets/default', () => {
  const classSet = (method: string, version: string, body?: object): Promise<TestResponse> =>
    compute.client.send(method, '/os-quota-class-sets/default', {
      token: admin,
      body,
      headers: { 'OpenStack-API-Version': `compute ${version}` },
    });

  const { server_groups: _groups, server_group_members: _members, ...from1 } = FROM_1;

  it.each([
    ['2.49', from1],
    ['2.50', FROM_36],
    ['2.57', FROM_57],
  ])('shows the defaults of %s', async (version, limits) => {
    const response = await classSet('GET', version);
    expect(response.body).toEqual({ quota_class_set: { id: 'default', ...limits } });
  });

  it('changes them for all projects without limits of their own', async () => {
    await set({ cores: 5 });
    const body = { quota_class_set: { cores: 30, instances: 1 } };
    const response = await classSet('PUT', '2.57', body);
    expect([response.status, response.body]).toEqual([
      200,
      { quota_class_set: { ...FROM_57, cores: 30, instances: 1 } },
    ]);
    expect(quotaSet(await ask('GET', '/defaults'))).toMatchObject({ cores: 30, instances: 1 });
    expect(quotaSet(await ask('GET', ''))).toMatchObject({ cores: 5, instances: 1 });
    await compute.buildServer();
    expect((await compute.createServer()).status).toBe(413);
  });

  it('refuses what the microversion does not have, and unknown names', async () => {
    expectError(
      await classSet('PUT', '2.50', { quota_class_set: { fixed_ips: 1 } }),
      400,
      'badRequest',
      'Invalid input: quota_class_set.fixed_ips ended with microversion 2.49; the request is for 2.50.',
    );
    expectError(
      await classSet('PUT', '2.50', { quota_class_set: { force: true } }),
      400,
      'badRequest',
      'Invalid input: quota_class_set.force is not a property that this operation knows.',
    );
  });

  it.each(['GET', 'PUT'])('is the only one, and for administrators: %s', async (method) => {
    const body = method === 'PUT' ? { quota_class_set: {} } : undefined;
    const { client, token } = compute;
    expectError(
      await client.send(method, '/os-quota-class-sets/gold', { token: admin, body }),
      404,
      'itemNotFound',
      'Quota class gold could not be found. The only one is default.',
    );
    const refused = await client.send(method, '/os-quota-class-sets/default', { token, body });
    expect(refused.status).toBe(403);
  });
});

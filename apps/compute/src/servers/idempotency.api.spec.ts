/** POST /servers with an Idempotency-Key, on two processes that share a database. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let one: ComputeFixture;
let other: ComputeFixture;
let key: string;

beforeAll(async () => {
  one = await startCompute({ config: { quotaInstances: 2 } });
  other = await startCompute({ beside: one, config: { quotaInstances: 2 } });
});
beforeEach(() => {
  key = newId();
});
afterEach(() => one.deleteServers());
afterAll(async () => {
  await other.stop();
  await one.stop();
});

interface Changes {
  readonly server?: object;
  readonly token?: string;
  readonly key?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function create(
  { client, token, images }: ComputeFixture,
  { server = {}, path = '/servers', headers = {}, ...changes }: Changes = {},
): Promise<TestResponse> {
  return client.post(path, {
    token: changes.token ?? token,
    body: { server: { name: 'web', imageRef: images.bootable, flavorRef: '1', ...server } },
    headers: { 'Idempotency-Key': changes.key ?? key, ...headers },
  });
}

async function names(): Promise<string[]> {
  const rows: { name: string }[] = await one.ctx.manager.query(
    'SELECT name FROM servers ORDER BY name',
  );
  return rows.map(({ name }) => name);
}

const message = ({ body }: TestResponse) => (Object.values(body as object)[0] as Error).message;

describe('the same request with the same key', () => {
  it('gets the first answer again, from every process, and creates no second server', async () => {
    const first = await create(one);
    expect(first.status).toBe(202);
    for (const process of [one, other]) {
      const again = await create(process);
      expect([again.status, again.text]).toEqual([202, first.text]);
      for (const name of ['Location', 'Content-Type'])
        expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
      expect(again.headers.get('X-Platform-Request-Id')).not.toBe(
        first.headers.get('X-Platform-Request-Id'),
      );
    }
    expect(await names()).toEqual(['web']);
  });

  it('is the same under each of its addresses', async () => {
    const first = await create(one);
    const again = await create(one, { path: '/v2.1/servers' });
    expect(again.text).toBe(first.text);
  });

  it('gets the answer also when the server is gone and the quota is used up', async () => {
    const first = await create(one);
    await one.deleteServers();
    for (const name of ['a', 'b']) await create(one, { server: { name }, key: newId() });
    expect((await create(one)).text).toBe(first.text);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('is refused to a reader, who may not create', async () => {
    await create(one);
    const token = await one.tokens.issue(['reader'], { projectId: one.projectId });
    expect((await create(one, { token })).status).toBe(403);
  });

  it('creates one server, however many requests are concurrent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => create(at % 2 === 0 ? one : other)),
    );
    const [done, refused] = [
      answers.filter(({ status }) => status === 202),
      answers.filter(({ status }) => status !== 202),
    ];
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of refused) {
      expect(answer.status).toBe(409);
      expect(answer.headers.get('Retry-After')).toBe('1');
    }
    expect(await names()).toEqual(['web']);
  });
});

describe('the same key', () => {
  it('is 422 for another body, which makes nothing', async () => {
    await create(one);
    const answer = await create(other, { server: { name: 'db' } });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      unprocessableEntity: {
        code: 422,
        message: 'The Idempotency-Key was used before with another request.',
      },
    });
    expect(await names()).toEqual(['web']);
  });

  it('is 422 for another microversion, whose answer would be another', async () => {
    await create(one);
    const headers = { 'OpenStack-API-Version': 'compute 2.90' };
    expect((await create(one, { headers })).status).toBe(422);
  });

  it('is independent in another project', async () => {
    const first = await create(one);
    const token = await one.tokens.issue(['member']);
    const second = await create(one, { token });
    expect(second.status).toBe(202);
    expect(second.text).not.toBe(first.text);
    expect(await names()).toEqual(['web', 'web']);
  });

  it.each([
    ['a refused body', 400, { flavorRef: 'none' }],
    ['a quota that is too small', 403, { min_count: 3 }],
  ])('is free after %s', async (_, status, server) => {
    expect((await create(one, { server })).status).toBe(status);
    expect((await create(one)).status).toBe(202);
    expect(await names()).toEqual(['web']);
  });

  it('is free after a failure of the service', async () => {
    await one.ctx.manager.query('ALTER TABLE servers RENAME TO servers_away');
    const failed = await create(one);
    await one.ctx.manager.query('ALTER TABLE servers_away RENAME TO servers');
    expect(failed.status).toBe(500);
    expect((await create(one)).status).toBe(202);
  });

  it.each(['', 'with space', 'x'.repeat(256)])('is 400 if it is "%s"', async (bad) => {
    const answer = await create(one, { key: bad });
    expect(answer.status).toBe(400);
    expect(message(answer)).toContain('Idempotency-Key');
    expect(await names()).toEqual([]);
  });

  it('is not stored in clear, nor is the password in the answer', async () => {
    const { body } = await create(one);
    const { adminPass } = (body as { server: { adminPass: string } }).server;
    const rows = JSON.stringify(await one.ctx.manager.query('SELECT * FROM idempotency_keys'));
    expect(adminPass).toMatch(/.{8}/);
    expect(rows).not.toContain(adminPass);
    expect(rows).not.toContain(key);
  });
});

describe('a process that dies between the server and its answer', () => {
  let session: ReturnType<typeof other.app.dataSource.createQueryRunner>;
  let dying: ComputeFixture;

  beforeEach(async () => {
    dying = await startCompute({ beside: one, losesDatabase: true });
    session = other.app.dataSource.createQueryRunner();
    await session.startTransaction();
    // Answers can be looked up, but not written.
    await session.query('LOCK TABLE idempotency_keys IN SHARE ROW EXCLUSIVE MODE');
  });
  afterEach(async () => {
    if (session.isTransactionActive) await session.rollbackTransaction();
    await session.release();
    await dying.stop();
  });

  const hasCreated = () =>
    eventually('the request waits to keep its answer', async () => {
      const waiting: unknown[] = await other.ctx.manager.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO idempotency_keys%'
            AND datname = current_database()`,
      );
      return waiting.length > 0;
    });

  it('is in progress for others: 409 with Retry-After', async () => {
    const first = create(dying);
    await hasCreated();
    const second = await create(other);
    expect(second.status).toBe(409);
    expect(second.headers.get('Retry-After')).toBe('1');
    expect(message(second)).toBe('A request with the same Idempotency-Key is still under way.');
    await session.commitTransaction();
    const { text } = await first;
    expect((await create(other)).text).toBe(text);
    expect(await names()).toEqual(['web']);
  });

  it('leaves no server and no key: the next request with it creates the only one', async () => {
    const first = create(dying);
    await hasCreated();
    await dying.wire.cut();
    expect((await first).status).toBe(503);
    await session.commitTransaction();
    await eventually('the key is free', async () => (await create(other)).status === 202);
    expect(await names()).toEqual(['web']);
  });
});

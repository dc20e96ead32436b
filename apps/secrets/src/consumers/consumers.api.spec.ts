import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());

const LISTENER = { service: 'load-balancer', resource_type: 'listener', resource_id: 'l1' };
const LISTENER_AT = { name: 'listener', URL: 'http://lb/v2.0/lbaas/listeners/l1' };

describe.each<[string, Readonly<Record<string, string>>, () => Promise<string>]>([
  ['secrets', LISTENER, () => secrets.create()],
  ['containers', LISTENER_AT, () => secrets.contain('generic')],
])('the consumers of %s', (collection, consumer, make) => {
  let at: string;
  beforeEach(async () => {
    at = `/${collection}/${await make()}`;
  });

  const send = (method: string, body?: unknown, token = secrets.member): Promise<TestResponse> =>
    secrets.send(method, `${at}/consumers`, { body, token });
  const other = { ...consumer, [Object.keys(consumer).at(-1) ?? '']: 'l2' };

  it('are registered once, and shown with it', async () => {
    const answers = [await send('POST', consumer), await send('POST', consumer)];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, expect.objectContaining({ consumers: [consumer] })]);
    expect(await secrets.show(at)).toMatchObject({ consumers: [consumer] });
    await send('POST', other);
    expect(await secrets.show(at)).toMatchObject({ consumers: [consumer, other] });
  });

  it('are listed by pages', async () => {
    for (const one of [consumer, other]) await send('POST', one);
    const time = expect.stringMatching(/^\d{4}-/);
    const { body } = await secrets.send('GET', `${at}/consumers?limit=1`);
    expect(body).toEqual({
      consumers: [{ ...consumer, status: 'ACTIVE', created: time, updated: time }],
      total: 2,
      next: `${secrets.client.baseUrl}/v1${at}/consumers?limit=1&offset=1`,
    });
  });

  it.each([
    [
      '9999999f-f99f-49f9-9fff-f99f999ff9ff',
      / not found\. There is no (secret|container) 9999999f/,
    ],
    ['9999999f-ffff-ffff-9fff-f99f999ff9ff', /Provided (secret|container) id is invalid\./],
  ])('of %s, which is not there, are not found', async (id, message) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'GET' ? undefined : consumer;
      const answer = await secrets.send(method, `/${collection}/${id}/consumers`, { body });
      expect(errorOf(answer)).toEqual([404, expect.stringMatching(message)]);
    }
  });

  it('are removed', async () => {
    for (const one of [consumer, other]) await send('POST', one);
    const answer = await send('DELETE', consumer);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ consumers: [other] }),
    ]);
    expect(errorOf(await send('DELETE', consumer))[0]).toBe(404);
  });

  it('can be removed by the project that registered them, or the owner of the secret', async () => {
    const [one, two] = [newId(), newId()];
    const tokens = await Promise.all(
      [one, two].map((userId) => secrets.started.tokens.issue(['member'], { userId })),
    );
    await secrets.send('PUT', `${at}/acl`, { body: { read: { users: [one, two] } } });
    await send('POST', consumer, tokens[0]);
    expect(errorOf(await send('DELETE', consumer, tokens[1]))[0]).toBe(403);
    expect((await send('DELETE', consumer, tokens[0])).status).toBe(200);
    await send('POST', consumer, tokens[0]);
    expect((await send('DELETE', consumer, secrets.colleague)).status).toBe(200);
  });

  it('are not registered twice by concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', consumer)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await secrets.show(at)).toMatchObject({ consumers: [consumer] });
  });

  it.each([
    ['nothing', {}],
    ['what is too long', { ...consumer, [Object.keys(consumer)[0] ?? '']: 'x'.repeat(256) }],
    ['an empty name', { ...consumer, [Object.keys(consumer)[0] ?? '']: '' }],
    ['a number', { ...consumer, [Object.keys(consumer)[0] ?? '']: 7 }],
  ])('cannot be %s', async (_what, body) => {
    for (const method of ['POST', 'DELETE']) expect(errorOf(await send(method, body))[0]).toBe(400);
    expect(await secrets.show(at)).toMatchObject({ consumers: [] });
  });

  it('are deleted with it', async () => {
    await send('POST', consumer);
    await secrets.send('DELETE', `${at}?force=true`);
    const [left] = await secrets.started.app.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM ${collection.slice(0, -1)}_consumers
        WHERE ${collection.slice(0, -1)}_id = $1`,
      [at.split('/')[2]],
    );
    expect(left?.n).toBe(0);
  });
});

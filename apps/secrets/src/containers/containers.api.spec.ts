import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, idOf, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;
/** Secrets of the project. */
let a: string;
let b: string;

beforeAll(async () => {
  secrets = await TestSecrets.start();
  [a, b] = [await secrets.create(), await secrets.create()];
});
afterAll(() => secrets.stop());

const post = (body: unknown): Promise<TestResponse> =>
  secrets.send('POST', '/containers', { body });
const refs = (named: Readonly<Record<string, string>>) =>
  Object.entries(named).map(([name, id]) => ({ name, secret_ref: secrets.refOf(id) }));
const count = async (): Promise<number> =>
  (await secrets.show('/containers?limit=0'))['total'] as number;

describe('POST /v1/containers', () => {
  it('creates a container of secrets, in their order', async () => {
    const secret_refs = refs({ second: b, first: a });
    const answer = await post({ name: 'all', type: 'generic', secret_refs });
    expect(answer.status).toBe(201);
    const { container_ref: ref } = answer.body as { container_ref: string };
    expect(answer.headers.get('Location')).toBe(ref);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    expect(await secrets.show(`/containers/${idOf(ref)}`)).toEqual({
      container_ref: ref,
      name: 'all',
      type: 'generic',
      status: 'ACTIVE',
      creator_id: secrets.user,
      secret_refs,
      consumers: [],
      created: time,
      updated: time,
    });
  });

  it.each([
    ['generic', {}],
    ['generic', { anything: 'a', 'at all': 'b' }],
    ['rsa', { public_key: 'a', private_key: 'b' }],
    ['certificate', { certificate: 'a' }],
    ['certificate', { certificate: 'a', private_key: 'b' }],
    ['rsa', {}],
  ])('takes %s of %j', async (type, names) => {
    const ids = Object.entries(names).map(([name, which]) => [name, which === 'a' ? a : b]);
    expect(
      await secrets.contain(type, Object.fromEntries(ids) as Record<string, string>),
    ).toHaveLength(36);
  });

  it('accepts all the names of a type', async () => {
    const made = async (names: readonly string[]) =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await secrets.create()] as const)),
      );
    const rsa = ['public_key', 'private_key', 'private_key_passphrase'];
    await secrets.contain('rsa', await made(rsa));
    const others = ['certificate', 'private_key', 'private_key_passphrase', 'intermediates'];
    await secrets.contain('certificate', await made(others));
  });

  it.each(['generic', 'rsa', 'certificate'])('accepts an empty name with type %s', async (type) => {
    const { body } = await post({ name: '', type });
    const id = idOf((body as { container_ref: string }).container_ref);
    expect(await secrets.show(`/containers/${id}`)).toMatchObject({ name: '', type });
  });

  it('accepts one secret without a name', async () => {
    const answer = await post({ type: 'generic', secret_refs: [{ secret_ref: secrets.refOf(a) }] });
    const id = idOf((answer.body as { container_ref: string }).container_ref);
    expect(await secrets.show(`/containers/${id}`)).toMatchObject({
      name: null,
      secret_refs: [{ name: null, secret_ref: secrets.refOf(a) }],
    });
  });

  it.each<[string, () => object, string]>([
    ['no type', () => ({}), 'type is required'],
    ['another type', () => ({ type: 'box' }), 'type must be one of generic, rsa, certificate'],
    [
      'a name twice',
      () => ({
        type: 'generic',
        secret_refs: [...refs({ one: a }), ...refs({ one: b })],
      }),
      "secret_refs have the name 'one' twice",
    ],
    ['a secret twice', () => ({ type: 'generic', secret_refs: refs({ one: a, two: a }) }), 'twice'],
    [
      'an RSA key without its private half',
      () => ({ type: 'rsa', secret_refs: refs({ public_key: a }) }),
      "lack 'private_key', which a container of type rsa must have",
    ],
    [
      'an RSA key with a name of no meaning',
      () => ({ type: 'rsa', secret_refs: refs({ public_key: a, secret_key: b }) }),
      "name 'secret_key', which is not one of public_key, private_key, private_key_passphrase",
    ],
    [
      'a certificate without one',
      () => ({ type: 'certificate', secret_refs: refs({ private_key: a }) }),
      "lack 'certificate'",
    ],
    [
      'an address of another host',
      () => ({
        type: 'generic',
        secret_refs: [{ name: 'one', secret_ref: `http://elsewhere/v1/secrets/${a}` }],
      }),
      "secret_ref 'http://elsewhere/v1/secrets/",
    ],
    [
      'the URL of a container',
      () => ({
        type: 'generic',
        secret_refs: [{ secret_ref: `${secrets.client.baseUrl}/v1/containers/${a}` }],
      }),
      'is not the URL of a secret of this service',
    ],
    ['an id', () => ({ type: 'generic', secret_refs: [{ secret_ref: a }] }), 'is not the URL'],
    ['no URL', () => ({ type: 'generic', secret_refs: [{}] }), 'secret_ref is required'],
    ['a text', () => ({ type: 'generic', secret_refs: 'x' }), 'secret_refs must be an array'],
    [
      'more than a hundred secrets',
      () => ({ type: 'generic', secret_refs: Array(101).fill(refs({ one: a })[0]) as object[] }),
      'secret_refs must contain no more than 100 elements',
    ],
  ])('refuses %s, and leaves nothing', async (_what, body, message) => {
    const before = await count();
    expect(errorOf(await post(body()))).toEqual([400, expect.stringContaining(message)]);
    expect(await count()).toBe(before);
  });

  it.each(['of another project', 'that is not there'])('finds no secret %s', async (which) => {
    const id =
      which === 'that is not there'
        ? '00000000-0000-4000-8000-000000000000'
        : await secrets.create({ name: 'foreign' }, secrets.stranger);
    const before = await count();
    const answer = await post({ type: 'generic', secret_refs: refs({ one: a, two: id }) });
    expect(errorOf(answer)).toEqual([404, `Secret ${id}, given as 'two', not found.`]);
    expect(await count()).toBe(before);
  });
});

describe('GET /v1/containers', () => {
  it('has pages and filters', async () => {
    const token = await secrets.started.tokens.issue(['member']);
    const ask = async (query: string) =>
      (await secrets.send('GET', `/containers${query}`, { token })).body as {
        containers: { name: string }[];
        total: number;
        next?: string;
      };
    for (const [name, type] of [
      ['one', 'generic'],
      ['two', 'rsa'],
      ['three', 'rsa'],
    ])
      await secrets.send('POST', '/containers', { token, body: { name, type } });
    const names = async (query: string) => (await ask(query)).containers.map(({ name }) => name);
    expect(await names('?type=rsa&name=two')).toEqual(['two']);
    expect((await names('?type=rsa')).sort()).toEqual(['three', 'two']);
    const first = await ask('?limit=2');
    expect([first.containers.length, first.total]).toEqual([2, 3]);
    expect(first.next).toBe(`${secrets.client.baseUrl}/v1/containers?limit=2&offset=2`);
    const bad = await secrets.send('GET', '/containers?type=box', { token });
    expect(errorOf(bad)[0]).toBe(400);
  });
});

describe('the secrets of a container', () => {
  let id: string;
  beforeEach(async () => {
    id = await secrets.contain('generic', { one: a });
  });

  const change = (method: string, name: string | undefined, secret: string, of = id) =>
    secrets.send(method, `/containers/${of}/secrets`, {
      body: { ...(name === undefined ? {} : { name }), secret_ref: secrets.refOf(secret) },
    });
  const names = async () => {
    const { secret_refs: found } = await secrets.show(`/containers/${id}`);
    return (found as { name: string | null }[]).map(({ name }) => name);
  };

  it('are added at the end, and removed', async () => {
    const added = await change('POST', 'two', b);
    expect(added.status).toBe(201);
    expect(added.headers.get('Location')).toBe(`${secrets.client.baseUrl}/v1/containers/${id}`);
    await change('POST', undefined, b);
    expect(await names()).toEqual(['one', 'two', null]);
    expect((await change('DELETE', 'one', a)).status).toBe(204);
    await change('POST', 'one', a);
    expect(await names()).toEqual(['two', null, 'one']);
  });

  it('have unique names', async () => {
    for (const secret of [a, b])
      expect(errorOf(await change('POST', 'one', secret))).toEqual([
        409,
        `Container ${id} has a secret as 'one' already.`,
      ]);
    expect(await names()).toEqual(['one']);
  });

  it('are removed by name and secret', async () => {
    expect(errorOf(await change('DELETE', 'one', b))).toEqual([
      404,
      `Container ${id} does not have secret ${b} as 'one'.`,
    ]);
    expect((await change('DELETE', 'two', a)).status).toBe(404);
    expect(await names()).toEqual(['one']);
  });

  it('must be secrets of the project', async () => {
    const foreign = await secrets.create({ name: 'foreign' }, secrets.stranger);
    expect((await change('POST', 'two', foreign)).status).toBe(404);
  });

  it('cannot be changed for other types than generic', async () => {
    const rsa = await secrets.contain('rsa', { public_key: a, private_key: b });
    for (const method of ['POST', 'DELETE'])
      expect(errorOf(await change(method, 'public_key', a, rsa))).toEqual([
        400,
        `Only generic containers can be changed; container ${rsa} is of type rsa.`,
      ]);
  });

  it('are kept when it is deleted', async () => {
    expect((await secrets.send('DELETE', `/containers/${id}`)).status).toBe(204);
    expect((await secrets.send('GET', `/containers/${id}`)).status).toBe(404);
    expect((await secrets.send('GET', `/secrets/${a}`)).status).toBe(200);
  });
});

it('a private container is its creator’s and administrators’', async () => {
  const id = await secrets.contain('generic');
  const body = { read: { 'project-access': false, users: ['u1'] } };
  await secrets.send('PUT', `/containers/${id}/acl`, { body });
  const status = async (token: string) =>
    (await secrets.send('GET', `/containers/${id}`, { token })).status;
  const tokens = [secrets.member, secrets.projectAdmin, secrets.colleague, secrets.stranger];
  expect(await Promise.all(tokens.map(status))).toEqual([200, 200, 403, 404]);
  const listed = await secrets.started.tokens.issue(['reader'], { userId: 'u1' });
  expect(await status(listed)).toBe(200);
  expect((await secrets.send('DELETE', `/containers/${id}`, { token: listed })).status).toBe(403);
});

it.each(['nothing', newId()])('finds no container %s', async (id) => {
  expect((await secrets.send('GET', `/containers/${id}`)).status).toBe(404);
});

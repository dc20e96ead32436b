import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../images.fixture.js';
import { COLOUR, TestMetadefs, TIMESTAMP } from '../metadefs.fixture.js';

let metadefs: TestMetadefs;
let path: string;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());
beforeEach(async () => {
  path = `${await metadefs.namespace()}/objects`;
});

const create = (body: unknown) => metadefs.send('POST', path, { body });

async function protect(): Promise<void> {
  const namespace = decodeURIComponent(path.split('/')[2] ?? '');
  await metadefs.done('PUT', `/namespaces/${namespace}`, { namespace, protected: true });
}

describe('POST /v2/metadefs/namespaces/{namespace_name}/objects', () => {
  it('creates an object with only a name', async () => {
    const namespace = decodeURIComponent(path.split('/')[2] ?? '');
    const response = await create({ name: 'CPU Limits' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      name: 'CPU Limits',
      required: [],
      properties: {},
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
      self: `/v2/metadefs/namespaces/${namespace}/objects/CPU Limits`,
      schema: '/v2/schemas/metadefs/object',
    });
  });

  it('creates an object with properties', async () => {
    const body = {
      name: 'one',
      description: 'What it is for.',
      required: ['quota:cpu_period'],
      properties: { 'quota:cpu_period': { title: 'Period', type: 'integer', maximum: 10 } },
    };
    expect((await create(body)).body).toMatchObject(body);
    expect(await metadefs.get(`${path}/one`)).toMatchObject(body);
  });

  it('answers 409 for a name in the same namespace only', async () => {
    await create({ name: 'one' });
    const response = await create({ name: 'one' });
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toContain("already has the object 'one'");
    path = `${await metadefs.namespace()}/objects`;
    expect((await create({ name: 'one' })).status).toBe(201);
  });

  it('gives a name to one of many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'one' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    ['nothing', {}],
    ['a name that is too long', { name: 'x'.repeat(81) }],
    ['required that is no list', { name: 'a', required: 'x' }],
    ['required with a name twice', { name: 'a', required: ['x', 'x'] }],
    ['a property without a title', { name: 'a', properties: { x: { type: 'string' } } }],
    ['a property with more than it knows', { name: 'a', properties: { x: { ...COLOUR, y: 1 } } }],
    ['more than it knows', { name: 'a', colour: 'red' }],
  ])('answers 400 to %s', async (_what, body) => {
    expect((await create(body)).status).toBe(400);
  });

  it('answers 403 to read-only properties, 404 without a namespace', async () => {
    expect((await create({ name: 'a', created_at: 'now' })).status).toBe(403);
    const answer = await metadefs.send('POST', '/namespaces/nobody/objects', {
      body: { name: 'a' },
    });
    expect(answer.status).toBe(404);
  });
});

describe('GET /v2/metadefs/namespaces/{namespace_name}/objects', () => {
  it('lists them, with a link to their schema', async () => {
    expect(await metadefs.get(path)).toEqual({
      objects: [],
      schema: '/v2/schemas/metadefs/objects',
    });
    await create({ name: 'one', properties: { colour: COLOUR } });
    const { objects } = await metadefs.get(path);
    expect(objects).toEqual([await metadefs.get(`${path}/one`)]);
  });
});

describe('an object by its name', () => {
  it('is shown by any valid name', async () => {
    for (const name of ['a/b', 'c d', '🐧', '%']) {
      await create({ name });
      expect(await metadefs.get(`${path}/${encodeURIComponent(name)}`)).toMatchObject({ name });
    }
  });

  it('is replaced as a whole, including its name', async () => {
    await create({ name: 'old', description: 'old', required: ['x'], properties: { x: COLOUR } });
    const body = { name: 'new', properties: { y: COLOUR } };
    const response = await metadefs.send('PUT', `${path}/old`, { body });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ ...body, required: [] });
    expect(response.body).not.toHaveProperty('description');
    expect(await metadefs.get(`${path}/new`)).toEqual(response.body);
    expect((await metadefs.send('GET', `${path}/old`)).status).toBe(404);
  });

  it('answers 409 if another has the new name', async () => {
    await create({ name: 'one' });
    await create({ name: 'two' });
    const response = await metadefs.send('PUT', `${path}/one`, { body: { name: 'two' } });
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toContain("already has the object 'two'");
    expect((await metadefs.send('GET', `${path}/one`)).status).toBe(200);
  });

  it('is deleted', async () => {
    await create({ name: 'one' });
    expect((await metadefs.send('DELETE', `${path}/one`)).status).toBe(204);
    expect((await metadefs.send('DELETE', `${path}/one`)).status).toBe(404);
  });

  it.each(['GET', 'PUT', 'DELETE'])('answers 404 to %s of a missing one', async (method) => {
    const body = method === 'PUT' ? { name: 'a' } : undefined;
    const response = await metadefs.send(method, `${path}/none`, { body });
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toMatch(/^Namespace 'ns .*' has no object 'none'\.$/);
  });
});

describe('objects of a protected namespace', () => {
  it('can be changed and added, but not deleted', async () => {
    await create({ name: 'one' });
    await protect();
    const response = await metadefs.send('DELETE', `${path}/one`);
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toMatch(
      /^Namespace '.*' is protected, and its object 'one' cannot be deleted\.$/,
    );
    expect((await metadefs.send('DELETE', path)).status).toBe(403);
    expect((await metadefs.send('DELETE', `${path}/none`)).status).toBe(404);
    expect((await metadefs.send('PUT', `${path}/one`, { body: { name: 'two' } })).status).toBe(200);
    expect((await create({ name: 'three' })).status).toBe(201);
  });
});

describe('DELETE /v2/metadefs/namespaces/{namespace_name}/objects', () => {
  it('deletes all in the namespace, and none in another', async () => {
    const [other] = [path];
    await create({ name: 'stays' });
    path = `${await metadefs.namespace()}/objects`;
    await create({ name: 'one' });
    await create({ name: 'two' });
    expect((await metadefs.send('DELETE', path)).status).toBe(204);
    expect(await metadefs.get(path)).toMatchObject({ objects: [] });
    expect(await metadefs.get(other)).toMatchObject({ objects: [{ name: 'stays' }] });
  });

  it('answers 204 without objects, and 404 without a namespace', async () => {
    expect((await metadefs.send('DELETE', path)).status).toBe(204);
    expect((await metadefs.send('DELETE', '/namespaces/nobody/objects')).status).toBe(404);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../images.fixture.js';
import { TestMetadefs, TIMESTAMP } from '../metadefs.fixture.js';

let metadefs: TestMetadefs;
let path: string;

beforeAll(async () => {
  metadefs = await TestMetadefs.start();
});
afterAll(() => metadefs.stop());
beforeEach(async () => {
  path = `${await metadefs.namespace({ tags: [{ name: 'one' }] })}/tags`;
});

const tagsOf = (...names: string[]) => ({ tags: names.map((name) => ({ name })) });

async function list(query = 'sort_key=name&sort_dir=asc'): Promise<string[]> {
  const { tags } = await metadefs.get(`${path}?${query}`);
  return (tags as { name: string }[]).map(({ name }) => name);
}

describe('POST /v2/metadefs/namespaces/{namespace_name}/tags', () => {
  const post = (body: unknown, append?: string) =>
    metadefs.send('POST', path, {
      body,
      headers: append === undefined ? {} : { 'X-Openstack-Append': append },
    });

  it.each([undefined, 'False', '0', 'maybe'])('replaces all tags: %j', async (append) => {
    const response = await post(tagsOf('two', 'three'), append);
    expect([response.status, response.body]).toEqual([201, tagsOf('two', 'three')]);
    expect(await list()).toEqual(['three', 'two']);
  });

  it.each(['True', 'true', '1', 'yes'])('adds to them: %j', async (append) => {
    const response = await post(tagsOf('two', 'three'), append);
    expect([response.status, response.body]).toEqual([201, tagsOf('two', 'three')]);
    expect(await list()).toEqual(['one', 'three', 'two']);
  });

  it('does nothing for an empty list', async () => {
    expect((await post(tagsOf())).status).toBe(201);
    expect(await list()).toEqual(['one']);
  });

  it.each([
    ['one of those there', tagsOf('two', 'one'), 'True', 'one'],
    ['one twice', tagsOf('two', 'two'), undefined, 'two'],
  ])('answers 409 to %s, and changes nothing', async (_what, body, append, name) => {
    const response = await post(body, append);
    expect(response.status).toBe(409);
    expect(errorOf(response).message).toContain(`already has the tag '${name}'`);
    expect(await list()).toEqual(['one']);
  });

  it('serialises concurrent requests', async () => {
    const answers = await Promise.all([
      post(tagsOf('a', 'b')),
      post(tagsOf('b', 'a')),
      post(tagsOf('c'), 'True'),
      post(tagsOf('d', 'e'), 'True'),
      post(tagsOf('e', 'd')),
    ]);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
  });

  it.each([{}, { tags: 'one' }, { tags: ['one'] }, { tags: [{}] }, tagsOf('x'.repeat(81))])(
    'answers 400 to %j',
    async (body) => {
      expect((await post(body)).status).toBe(400);
    },
  );
});

describe('POST /v2/metadefs/namespaces/{namespace_name}/tags/{tag_name}', () => {
  const add = (name: string) => metadefs.send('POST', `${path}/${encodeURIComponent(name)}`);

  it('adds a tag with any valid name', async () => {
    for (const name of ['two', 'a/b c', '🐧'.repeat(80)]) {
      const response = await add(name);
      expect([response.status, response.body]).toEqual([
        201,
        {
          name,
          created_at: expect.stringMatching(TIMESTAMP),
          updated_at: expect.stringMatching(TIMESTAMP),
        },
      ]);
      expect(await metadefs.get(`${path}/${encodeURIComponent(name)}`)).toEqual(response.body);
    }
  });

  it('answers 409 to an existing one, 400 to an invalid name, 404 without a namespace', async () => {
    expect((await add('one')).status).toBe(409);
    expect((await add('x'.repeat(81))).status).toBe(400);
    expect((await add('\0')).status).toBe(400);
    path = '/namespaces/nobody/tags';
    expect((await add('one')).status).toBe(404);
  });
});

describe('GET /v2/metadefs/namespaces/{namespace_name}/tags', () => {
  beforeEach(async () => {
    await metadefs.done('POST', path, tagsOf('a', 'b', 'c'));
  });

  it.each(['created_at', 'updated_at', 'name'])(
    'pages in the order of %s, in both directions',
    async (key) => {
      for (const direction of ['asc', 'desc']) {
        const query = `sort_key=${key}&sort_dir=${direction}`;
        const pages: string[] = [];
        for (let page = await list(`${query}&limit=1`); page.length > 0;) {
          pages.push(...page);
          page = await list(`${query}&limit=1&marker=${page.join()}`);
        }
        expect(pages).toEqual(await list(query));
        expect(pages).toHaveLength(3);
      }
    },
  );

  it('lists all without a limit, and none with limit 0', async () => {
    expect(await list('')).toHaveLength(3);
    expect(await list('limit=0')).toEqual([]);
  });

  it.each(['limit=-1', 'limit=x', 'sort_key=colour', 'sort_dir=up'])(
    'answers 400 to %s',
    async (query) => {
      expect((await metadefs.send('GET', `${path}?${query}`)).status).toBe(400);
    },
  );

  it('answers 404 for an unknown marker', async () => {
    const response = await metadefs.send('GET', `${path}?marker=none`);
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toContain("has no tag 'none'");
  });
});

describe('a tag by its name', () => {
  it('is renamed, unless another has the name', async () => {
    const rename = (name: string) => metadefs.send('PUT', `${path}/one`, { body: { name } });
    await metadefs.done('POST', `${path}/two`);
    expect((await rename('two')).status).toBe(409);
    expect((await rename('')).status).toBe(400);
    const response = await rename('three');
    expect([response.status, response.body]).toMatchObject([200, { name: 'three' }]);
    expect(await list()).toEqual(['three', 'two']);
  });

  it('is deleted, unless the namespace is protected', async () => {
    expect((await metadefs.send('DELETE', `${path}/one`)).status).toBe(204);
    expect(await list()).toEqual([]);
    path = `${await metadefs.namespace({ protected: true, ...tagsOf('one') })}/tags`;
    const response = await metadefs.send('DELETE', `${path}/one`);
    expect(response.status).toBe(403);
    expect(errorOf(response).message).toContain("its tag 'one' cannot be deleted");
    expect((await metadefs.send('DELETE', path)).status).toBe(403);
    expect(await list()).toEqual(['one']);
  });

  it.each(['GET', 'PUT', 'DELETE'])('answers 404 to %s of a missing one', async (method) => {
    const body = method === 'PUT' ? { name: 'a' } : undefined;
    const response = await metadefs.send(method, `${path}/none`, { body });
    expect(response.status).toBe(404);
    expect(errorOf(response).message).toMatch(/^Namespace 'ns .*' has no tag 'none'\.$/);
  });

  it('is deleted with all others', async () => {
    await metadefs.done('POST', `${path}/two`);
    expect((await metadefs.send('DELETE', path)).status).toBe(204);
    expect(await list()).toEqual([]);
  });
});

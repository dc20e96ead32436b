/** The tags of a project, one by one and all at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  grant,
  onDomain,
  onProject,
  startGrantWorld,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
});
afterAll(() => world.identity.stop());

beforeEach(async () => {
  await setProject(`tags = '{blue,two words}', options = '{}'`);
});

const setProject = (assignments: string): Promise<unknown> =>
  world.identity.app.dataSource.query(`UPDATE projects SET ${assignments} WHERE id = 'top'`);

const send = (method: string, path = '', body?: object, token?: string): Promise<TestResponse> =>
  world.client.send(method, `/v3/projects/top/tags${path}`, { token: token ?? world.admin, body });

const tags = async (): Promise<unknown> => ((await send('GET')).body as { tags: unknown }).tags;

const messageOf = ({ body }: TestResponse): string =>
  (body as { error: { message: string } }).error.message;

describe('the tags of a project', () => {
  it('are listed, with the address of the list', async () => {
    const response = await send('GET');
    expect([response.status, response.body]).toEqual([
      200,
      {
        tags: ['blue', 'two words'],
        links: {
          next: null,
          previous: null,
          self: `${world.client.baseUrl}/v3/projects/top/tags`,
        },
      },
    ]);
  });

  it('are shown with the project', async () => {
    const response = await world.client.get('/v3/projects/top', { token: world.admin });
    expect(response.body).toMatchObject({ project: { tags: ['blue', 'two words'] } });
  });

  it('are replaced all at once', async () => {
    const response = await send('PUT', '', { tags: ['red', ' Red ', 'ünï'] });
    expect([response.status, response.body]).toMatchObject([200, { tags: ['red', 'Red', 'ünï'] }]);
    expect(await tags()).toEqual(['red', 'Red', 'ünï']);
    expect((await send('PUT', '', { tags: [] })).body).toMatchObject({ tags: [] });
    expect(await tags()).toEqual([]);
  });

  it('are removed all at once', async () => {
    const response = await send('DELETE');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tags()).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['no list', { tags: 'red' }],
    ['a tag that is no text', { tags: [7] }],
    ['an empty tag', { tags: [''] }],
    ['a blank tag', { tags: [' '] }],
    ['a comma', { tags: ['a,b'] }],
    ['a slash', { tags: ['a/b'] }],
    ['a tag twice', { tags: ['a', 'a'] }],
    ['a tag of 256 characters', { tags: ['a'.repeat(256)] }],
    ['81 tags', { tags: Array.from({ length: 81 }, (_, at) => `t${at}`) }],
  ])('stay as they are for a body with %s', async (_, body) => {
    expect((await send('PUT', '', body)).status).toBe(400);
    expect(await tags()).toEqual(['blue', 'two words']);
  });
});

describe('a tag', () => {
  it('is found only if it exists', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(method, '/two%20words');
      expect([response.status, response.text]).toEqual([204, '']);
      expect((await send(method, '/Blue')).status).toBe(404);
    }
    expect(messageOf(await send('GET', '/Blue'))).toBe('Could not find project tag: Blue.');
  });

  it('is added, with its address', async () => {
    const response = await send('PUT', '/dark%20red');
    expect([response.status, response.text]).toEqual([201, '']);
    expect(response.headers.get('Location')).toBe(
      `${world.client.baseUrl}/v3/projects/top/tags/dark%20red`,
    );
    expect(await tags()).toEqual(['blue', 'two words', 'dark red']);
    expect((await send('PUT', '/%20green%20', {})).status).toBe(201);
    expect(await tags()).toEqual(['blue', 'two words', 'dark red', 'green']);
  });

  it('differs from one in other letters', async () => {
    expect((await send('PUT', '/Blue')).status).toBe(201);
    expect(await tags()).toEqual(['blue', 'two words', 'Blue']);
  });

  it('may be as long as 255 characters', async () => {
    expect((await send('PUT', `/${'a'.repeat(255)}`)).status).toBe(201);
    expect((await send('PUT', `/${'a'.repeat(256)}`)).status).toBe(400);
  });

  it.each(['a%2Cb', 'a%2Fb', '%20', '%00'])('is refused as %s', async (tag) => {
    expect((await send('PUT', `/${tag}`)).status).toBe(400);
  });

  it('is not added a second time', async () => {
    const response = await send('PUT', '/blue');
    expect([response.status, messageOf(response)]).toEqual([
      400,
      "Invalid input: the project top has the tag 'blue' already.",
    ]);
  });

  it('is not added to 80 others', async () => {
    await setProject(`tags = (SELECT array_agg('t' || n) FROM generate_series(1, 80) AS n)`);
    const response = await send('PUT', '/more');
    expect([response.status, messageOf(response)]).toEqual([
      400,
      'Invalid input: the project top has the maximum of 80 tags already.',
    ]);
  });

  it('is removed', async () => {
    const response = await send('DELETE', '/blue');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tags()).toEqual(['two words']);
    expect((await send('DELETE', '/blue')).status).toBe(404);
  });

  it('is not lost when others are added concurrently', async () => {
    const added = ['a', 'b', 'c', 'd', 'e'];
    const statuses = await Promise.all(
      added.map(async (tag) => (await send('PUT', `/${tag}`)).status),
    );
    expect(statuses).toEqual(added.map(() => 201));
    expect(await tags()).toEqual(expect.arrayContaining(added));
  });
});

describe('tags', () => {
  const changes = [
    { method: 'PUT', path: '', body: { tags: ['x'] } },
    { method: 'DELETE', path: '' },
    { method: 'PUT', path: '/x' },
    { method: 'DELETE', path: '/blue' },
  ];
  const reads = [
    { method: 'GET', path: '' },
    { method: 'GET', path: '/x' },
  ];

  it.each(changes)('of an immutable project stay: $method $path', async (change) => {
    await setProject(`options = '{"immutable": true}'`);
    const response = await send(change.method, change.path, change.body);
    expect([response.status, messageOf(response)]).toEqual([
      403,
      expect.stringContaining('immutable'),
    ]);
    expect(await tags()).toEqual(['blue', 'two words']);
  });

  it.each([...changes, ...reads])(
    'of an unknown project are not found: $method $path',
    async ({ method, path, ...request }) => {
      const response = await world.client.send(method, `/v3/projects/nowhere/tags${path}`, {
        ...request,
        token: world.admin,
      });
      expect([response.status, messageOf(response)]).toEqual([
        404,
        'Could not find project: nowhere.',
      ]);
    },
  );

  it('are read by users of the project, and changed by administrators of its domain', async () => {
    await grant(world, 'projects/top/users/bob/roles/member');
    await grant(world, 'domains/acme/users/boss/roles/admin');
    await grant(world, 'domains/globex/users/gina/roles/admin');
    const bob = await tokenFor(world, 'bob', onProject('top'));
    const boss = await tokenFor(world, 'boss', onDomain('acme'));
    const gina = await tokenFor(world, 'gina', onDomain('globex'));
    const statuses = async (token: string): Promise<number[]> => [
      (await send('GET', '', undefined, token)).status,
      (await send('GET', '/blue', undefined, token)).status,
      (await send('PUT', '/more', undefined, token)).status,
      (await send('DELETE', '/more', undefined, token)).status,
    ];
    expect(await statuses(bob)).toEqual([200, 204, 403, 403]);
    expect(await statuses(boss)).toEqual([200, 204, 201, 204]);
    expect(await statuses(gina)).toEqual([403, 403, 403, 403]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  login,
  signedIn,
  startIdentity,
  tokenOf,
  type TestIdentity,
  resourceIn,
  type OnWire,
} from '../identity.fixture.js';
import { makeGroup } from '../users/user.fixture.js';

let identity: TestIdentity;
let admin: string;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client);
  await identity.app.dataSource.query(
    `INSERT INTO domains (id, name) VALUES ('garden', 'garden'), ('empty', 'empty')`,
  );
});
afterAll(() => identity.stop());

const create = (group: object, token = admin): Promise<TestResponse> =>
  identity.client.post('/v3/groups', { token, body: { group } });

const change = (id: string, group: object, token = admin): Promise<TestResponse> =>
  identity.client.patch(`/v3/groups/${id}`, { token, body: { group } });

const read = (id: string): Promise<TestResponse> =>
  identity.client.get(`/v3/groups/${id}`, { token: admin });

describe('POST /v3/groups', () => {
  it('answers 201 with the group and its further properties', async () => {
    const response = await create({ name: ' gardeners ', description: 'Dig.', colour: 'green' });
    expect(response.status).toBe(201);
    const { id } = resourceIn(response, 'group');
    expect(response.body).toEqual({
      group: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'gardeners',
        domain_id: 'default',
        description: 'Dig.',
        colour: 'green',
        links: { self: `${identity.client.baseUrl}/v3/groups/${id}` },
      },
    });
    expect((await read(id)).body).toEqual(response.body);
  });

  it('answers 409 with the name that another group of the domain has', async () => {
    await create({ name: 'twice', domain_id: 'garden' });
    expect((await create({ name: 'twice' })).status).toBe(201);
    const response = await create({ name: 'twice', domain_id: 'garden' });
    expect(response.status).toBe(409);
    expect(response.text).toContain(
      "A group with the name 'twice' exists already in the domain garden.",
    );
  });

  it('answers 404 for an unknown domain', async () => {
    const response = await create({ name: 'homeless', domain_id: 'nowhere' });
    expect(response.status).toBe(404);
    expect(response.text).toContain('Could not find domain: nowhere.');
  });

  it.each<[string, object]>([
    ['group.name is required', {}],
    ['group.name must not be blank', { name: ' ' }],
    ['group.name must be', { name: 5 }],
    ['group.description must be', { name: 'n', description: 5 }],
    ['group.domain_id must be', { name: 'n', domain_id: '' }],
  ])('answers 400: %s', async (message, group) => {
    const response = await create(group);
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
  });
});

describe('PATCH /v3/groups/{group_id}', () => {
  it('changes what it names, and nothing else', async () => {
    const before = await makeGroup(identity, admin, { description: 'before', a: 1, b: 2 });
    const response = await change(before.id, { name: 'renamed', b: 3 });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ group: { ...before, name: 'renamed', b: 3 } });
    expect((await read(before.id)).body).toEqual(response.body);
  });

  it('accepts what a client has read', async () => {
    const group = await makeGroup(identity, admin, { a: 1 });
    expect((await change(group.id, group)).body).toEqual({ group });
  });

  it.each<[number, object]>([
    [400, {}],
    [400, { id: 'x' }],
    [400, { domain_id: 'garden' }],
    [409, { name: 'taken' }],
  ])('answers %i to %j', async (status, group) => {
    await create({ name: 'taken' });
    const { id } = await makeGroup(identity, admin);
    expect((await change(id, group)).status).toBe(status);
  });

  it('answers 404 for an unknown group', async () => {
    const response = await change('none', { name: 'n' });
    expect(response.status).toBe(404);
    expect(response.text).toContain('Could not find group: none.');
  });
});

describe('DELETE /v3/groups/{group_id}', () => {
  it('answers 204, and 404 from then on', async () => {
    const { id } = await makeGroup(identity, admin);
    const remove = async (): Promise<number> =>
      (await identity.client.delete(`/v3/groups/${id}`, { token: admin })).status;
    expect(await remove()).toBe(204);
    expect((await read(id)).status).toBe(404);
    expect(await remove()).toBe(404);
  });
});

describe('the list of groups', () => {
  let groups: OnWire[];

  beforeAll(async () => {
    groups = [];
    for (const name of ['ash', 'beech', 'chestnut'])
      groups.push(await makeGroup(identity, admin, { name, domain_id: 'empty' }));
  });

  async function list(query: string, token = admin): Promise<Record<string, unknown>> {
    const response = await identity.client.get(`/v3/groups?${query}`, { token });
    expect([query, response.status]).toEqual([query, 200]);
    return response.body as Record<string, unknown>;
  }

  it('is filtered by name and domain', async () => {
    expect((await list('domain_id=empty'))['groups']).toEqual(groups);
    expect((await list('name=beech'))['groups']).toEqual([groups[1]]);
    expect((await list('name=beech&domain_id=garden'))['groups']).toEqual([]);
  });

  it('comes in pages that lead to each other', async () => {
    const first = await list('domain_id=empty&limit=2');
    expect(first).toMatchObject({ groups: groups.slice(0, 2), truncated: true });
    const { next } = first['links'] as { next: string };
    const second = await list(new URL(next).search.slice(1));
    expect(second).toMatchObject({ groups: groups.slice(2), links: { next: null } });
  });

  it('answers 404 for an unknown marker', async () => {
    const response = await identity.client.get('/v3/groups?marker=gone', { token: admin });
    expect(response.status).toBe(404);
  });
});

describe('the administrator of a domain', () => {
  let token: string;

  beforeAll(async () => {
    token = signedIn(await login(identity.client, { scope: { domain: { id: 'default' } } }));
  });

  it('has the groups of its domain, and no others', async () => {
    const own = await makeGroup(identity, token);
    const foreign = await makeGroup(identity, admin, { domain_id: 'garden' });
    const response = await identity.client.get('/v3/groups', { token });
    const ids = (response.body as { groups: OnWire[] }).groups.map(({ id }) => id);
    expect(ids).toContain(own.id);
    expect(ids).not.toContain(foreign.id);
    expect((await change(foreign.id, { name: 'mine' }, token)).status).toBe(403);
    expect((await create({ name: 'mine', domain_id: 'garden' }, token)).status).toBe(403);
    const path = `/v3/groups?marker=${foreign.id}`;
    expect((await identity.client.get(path, { token })).status).toBe(404);
  });
});

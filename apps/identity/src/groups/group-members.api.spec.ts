import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  login,
  signedIn,
  startIdentity,
  tokenOf,
  type TestIdentity,
  type OnWire,
} from '../identity.fixture.js';
import { giveRole, makeGroup, makeUser, statusOf, tokenOfUser } from '../users/user.fixture.js';

let identity: TestIdentity;
let admin: string;
let group: OnWire;
let user: OnWire;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client);
  await identity.app.dataSource.query(`INSERT INTO domains (id, name) VALUES ('garden', 'garden')`);
});
afterAll(() => identity.stop());
beforeEach(async () => {
  group = await makeGroup(identity, admin);
  user = await makeUser(identity, admin);
});

interface Names {
  readonly groupId?: string;
  readonly userId?: string;
  readonly token?: string;
}

function member(
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
  { groupId = group.id, userId = user.id, token = admin }: Names = {},
): Promise<TestResponse> {
  return identity.client.send(method, `/v3/groups/${groupId}/users/${userId}`, { token });
}

describe('a membership', () => {
  it('is created, checked and ended, with 204 each', async () => {
    for (const method of ['PUT', 'HEAD', 'GET', 'DELETE'] as const) {
      const response = await member(method);
      expect([method, response.status, response.text]).toEqual([method, 204, '']);
    }
  });

  it('can be created twice, and ended once', async () => {
    const statuses = [];
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE'] as const)
      statuses.push((await member(method)).status);
    expect(statuses).toEqual([204, 204, 204, 404]);
  });

  it.each(['HEAD', 'GET', 'DELETE'] as const)(
    'that does not exist is a 404 to %s',
    async (method) => {
      const response = await member(method);
      expect(response.status).toBe(404);
      if (method !== 'HEAD')
        expect(response.text).toContain(`Could not find user ${user.id} in group ${group.id}.`);
    },
  );

  it.each(['GET', 'PUT', 'DELETE'] as const)('names what is missing to %s', async (method) => {
    const ofNoGroup = await member(method, { groupId: 'none' });
    const ofNobody = await member(method, { userId: 'nobody' });
    expect([ofNoGroup.status, ofNobody.status]).toEqual([404, 404]);
    expect(ofNoGroup.text).toContain('Could not find group: none.');
    expect(ofNobody.text).toContain('Could not find user: nobody.');
  });

  it('is not made by the administrator of another domain', async () => {
    const token = signedIn(await login(identity.client, { scope: { domain: { id: 'default' } } }));
    const foreign = await makeUser(identity, admin, { domain_id: 'garden' });
    expect((await member('PUT', { userId: foreign.id, token })).status).toBe(403);
    expect((await member('PUT', { token })).status).toBe(204);
  });
});

describe('GET /v3/groups/{group_id}/users', () => {
  const list = (query = '', token = admin): Promise<TestResponse> =>
    identity.client.get(`/v3/groups/${group.id}/users?${query}`, { token });

  it('lists the members, by name and state too', async () => {
    const other = await makeUser(identity, admin, { name: `${user.name} two`, enabled: false });
    await makeUser(identity, admin);
    await member('PUT');
    await member('PUT', { userId: other.id });
    expect((await list()).body).toMatchObject({ users: [user, other] });
    expect((await list('enabled=false')).body).toMatchObject({ users: [other] });
    expect((await list(`name=${user.name}`)).body).toMatchObject({ users: [user] });
    const page = (await list('limit=1')).body as { links: { next: string } };
    expect(page.links.next).toContain(`/v3/groups/${group.id}/users?limit=1&marker=${user.id}`);
  });

  it('answers 404 for an unknown group', async () => {
    const response = await identity.client.get('/v3/groups/none/users', { token: admin });
    expect(response.status).toBe(404);
  });
});

describe('GET /v3/users/{user_id}/groups', () => {
  const list = (query = '', token = admin): Promise<TestResponse> =>
    identity.client.get(`/v3/users/${user.id}/groups?${query}`, { token });

  it('lists the groups of a user to administrators and to itself', async () => {
    await member('PUT');
    await makeGroup(identity, admin);
    const groups = [{ ...group, membership_expires_at: null }];
    expect((await list()).body).toMatchObject({ groups });
    expect((await list('', await tokenOfUser(identity, user.id))).body).toMatchObject({ groups });
    expect((await list('name=other')).body).toMatchObject({ groups: [] });
    expect((await list('', await tokenOf(identity.client, 'demo'))).status).toBe(403);
  });

  it('answers 404 for an unknown user', async () => {
    const response = await identity.client.get('/v3/users/nobody/groups', { token: admin });
    expect(response.status).toBe(404);
  });
});

describe('the tokens of a member', () => {
  let token: string;

  beforeEach(async () => {
    await member('PUT');
    token = await tokenOfUser(identity, user.id);
  });

  const removeGroup = (): Promise<TestResponse> =>
    identity.client.delete(`/v3/groups/${group.id}`, { token: admin });

  it('are refused at once where it leaves a group with roles', async () => {
    await giveRole(identity, group.id);
    expect((await member('DELETE')).status).toBe(204);
    expect(await statusOf(identity, token)).toBe(401);
  });

  it('are refused at once where a group with roles is deleted', async () => {
    const bystander = await tokenOfUser(identity, (await makeUser(identity, admin)).id);
    const other = await makeUser(identity, admin);
    await member('PUT', { userId: other.id });
    const othersToken = await tokenOfUser(identity, other.id);
    await giveRole(identity, group.id);
    expect((await removeGroup()).status).toBe(204);
    expect(await statusOf(identity, token)).toBe(401);
    expect(await statusOf(identity, othersToken)).toBe(401);
    expect(await statusOf(identity, bystander)).toBe(200);
  });

  it('stay good where a group without roles is left or deleted', async () => {
    expect((await member('DELETE')).status).toBe(204);
    await member('PUT');
    expect((await removeGroup()).status).toBe(204);
    expect(await statusOf(identity, token)).toBe(200);
  });

  it('stay good where the user joins another group', async () => {
    const another = await makeGroup(identity, admin);
    await giveRole(identity, another.id);
    await member('PUT', { groupId: another.id });
    expect(await statusOf(identity, token)).toBe(200);
  });
});

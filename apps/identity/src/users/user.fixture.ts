/** Users and groups of tests. */
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  login,
  type OnWire,
  resourceIn,
  signedIn,
  type TestIdentity,
} from '../identity.fixture.js';

export { statusOf } from '../identity.fixture.js';

export const PASSWORD = 'the password of the user';

/** @param fields besides an unused name and `PASSWORD` */
export async function makeUser(
  { client }: TestIdentity,
  token: string,
  fields: object = {},
): Promise<OnWire> {
  made += 1;
  const user = { name: `user ${made}`, password: PASSWORD, ...fields };
  return resourceIn(await client.post('/v3/users', { token, body: { user } }), 'user');
}

export async function changeUser(
  { client }: TestIdentity,
  token: string,
  id: string,
  user: object,
): Promise<TestResponse> {
  return client.patch(`/v3/users/${id}`, { token, body: { user } });
}

export function logIn(
  { client }: TestIdentity,
  id: string,
  password = PASSWORD,
): Promise<TestResponse> {
  return login(client, { id, password });
}

/** @returns an unscoped token */
export async function tokenOfUser(identity: TestIdentity, id: string): Promise<string> {
  return signedIn(await logIn(identity, id));
}

export function changeOwnPassword(
  { client }: TestIdentity,
  id: string,
  original: string,
  password: string,
): Promise<TestResponse> {
  return client.post(`/v3/users/${id}/password`, {
    body: { user: { original_password: original, password } },
  });
}

/** @param fields besides an unused name */
export async function makeGroup(
  { client }: TestIdentity,
  token: string,
  fields: object = {},
): Promise<OnWire> {
  made += 1;
  const group = { name: `group ${made}`, ...fields };
  return resourceIn(await client.post('/v3/groups', { token, body: { group } }), 'group');
}

/** Gives a group the role member on the project demo. */
export async function giveRole({ app }: TestIdentity, groupId: string): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO role_assignments (id, group_id, role_id, project_id)
     SELECT $1, $1, roles.id, projects.id FROM roles, projects
      WHERE roles.name = 'member' AND projects.name = 'demo'`,
    [groupId],
  );
}

let made = 0;

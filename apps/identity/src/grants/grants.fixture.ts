/**
 * Two domains with users, groups and projects, to grant roles to and on. Every id is a name, so
 * that a path says what it means.
 *
 * acme: users alice, bob and boss; groups devs (alice, bob) and empty; projects top > middle > leaf,
 * and side. globex: user gina, group crew (gina), project far.
 */
import { expect } from '@jest/globals';
import type { TestClient, TestResponse } from '@cumulet/testing/http-client';
import {
  login,
  type OnWire,
  resourceIn,
  signedIn,
  startIdentity,
  type TestIdentity,
  tokenOf,
} from '../identity.fixture.js';

export { statusOf } from '../identity.fixture.js';

const PASSWORD = 'the password of everybody';

export interface GrantWorld {
  readonly identity: TestIdentity;
  readonly client: TestClient;
  /** A token of the cloud's administrator. */
  readonly admin: string;
  /** The IDs of the seeded roles, and of those of tests, by name. */
  readonly roles: Record<string, string>;
}

export async function startGrantWorld(): Promise<GrantWorld> {
  const identity = await startIdentity();
  const { dataSource } = identity.app;
  await dataSource.query(
    `INSERT INTO domains (id, name) VALUES ('acme', 'Acme'), ('globex', 'Globex');
     INSERT INTO projects (id, domain_id, parent_id, ancestor_ids, name) VALUES
       ('top', 'acme', NULL, '{}', 'top'), ('middle', 'acme', 'top', '{top}', 'middle'),
       ('leaf', 'acme', 'middle', '{top,middle}', 'leaf'), ('side', 'acme', NULL, '{}', 'side'),
       ('far', 'globex', NULL, '{}', 'far');
     INSERT INTO users (id, name, domain_id) VALUES
       ('alice', 'alice', 'acme'), ('bob', 'bob', 'acme'), ('boss', 'boss', 'acme'),
       ('gina', 'gina', 'globex');
     INSERT INTO groups (id, domain_id, name) VALUES
       ('devs', 'acme', 'devs'), ('empty', 'acme', 'empty'), ('crew', 'globex', 'crew');
     INSERT INTO group_members (group_id, user_id)
     VALUES ('devs', 'alice'), ('devs', 'bob'), ('crew', 'gina')`,
  );
  await dataSource.query(
    `UPDATE users SET password_hash = $1 WHERE domain_id IN ('acme', 'globex')`,
    [await identity.passwords.hash(PASSWORD)],
  );
  const rows: { id: string; name: string }[] = await dataSource.query('SELECT id, name FROM roles');
  return {
    identity,
    client: identity.client,
    admin: await tokenOf(identity.client, 'admin'),
    roles: Object.fromEntries(rows.map(({ id, name }) => [name, id])),
  };
}

/** Removes all grants of tests in this world. */
export async function clearGrants({ identity }: GrantWorld): Promise<void> {
  await identity.app.dataSource.query(
    `DELETE FROM role_assignments WHERE group_id IS NOT NULL
        OR user_id IN ('alice', 'bob', 'boss', 'gina')`,
  );
}

/** The ID of the new role is its name. */
export async function makeRole(world: GrantWorld, name: string, domainId?: string): Promise<void> {
  await world.identity.app.dataSource.query(
    'INSERT INTO roles (id, name, domain_id) VALUES ($1, $1, $2)',
    [name, domainId],
  );
  world.roles[name] = name;
}

export async function imply(world: GrantWorld, prior: string, implied: string): Promise<void> {
  await world.identity.app.dataSource.query('INSERT INTO role_inferences VALUES ($1, $2)', [
    world.roles[prior],
    world.roles[implied],
  ]);
}

/**
 * @param path below `/v3`, with roles by their names: `projects/top/users/alice/roles/member`
 * @returns the status
 */
export async function grant(world: GrantWorld, path: string, token?: string): Promise<number> {
  return (await send(world, 'PUT', path, token)).status;
}

/** Any method, with names as in `grant`. */
export function send(
  world: GrantWorld,
  method: string,
  path: string,
  token = world.admin,
): Promise<TestResponse> {
  const named = path.replace(/roles\/([\w-]+)/, (_, name: string) => {
    return `roles/${world.roles[name] ?? name}`;
  });
  return world.client.send(method, `/v3/${named}`, { token });
}

/** A token by password, unless the user has no role on the scope: then the answer is a 401. */
export function loginAs(
  { client }: GrantWorld,
  userId: string,
  scope: object,
): Promise<TestResponse> {
  return login(client, { id: userId, password: PASSWORD, scope });
}

export async function tokenFor(world: GrantWorld, userId: string, scope: object): Promise<string> {
  return signedIn(await loginAs(world, userId, scope));
}

export const onProject = (id: string): object => ({ project: { id } });
export const onDomain = (id: string): object => ({ domain: { id } });
export const onSystem = { system: { all: true } };

/** The names of the roles that a token of the user on the scope would have; none without a token. */
export async function rolesOf(world: GrantWorld, userId: string, scope: object): Promise<string[]> {
  const response = await loginAs(world, userId, scope);
  if (response.status === 401) return [];
  const { token } = response.body as { token: { roles: { name: string }[] } };
  return token.roles.map(({ name }) => name).sort();
}

interface ProjectRequest {
  readonly project?: object | undefined;
  readonly token?: string | undefined;
}

/** By HTTP, as the cloud's administrator unless said otherwise. @param path below `/v3/projects` */
export function sendProject(
  { client, admin }: GrantWorld,
  method: string,
  path: string,
  { project, token = admin }: ProjectRequest = {},
): Promise<TestResponse> {
  const body = project && { project };
  return client.send(method, `/v3/projects${path}`, { token, body });
}

/** A new project, in acme unless it says where. */
export async function makeProject(world: GrantWorld, project: object): Promise<OnWire> {
  const response = await sendProject(world, 'POST', '', {
    project: { domain_id: 'acme', ...project },
  });
  expect([response.text, response.status]).toEqual([response.text, 201]);
  return resourceIn(response, 'project');
}

/** The names in a list. @param path below `/v3` */
export async function projectNames(
  { client, admin }: GrantWorld,
  path: string,
  token = admin,
): Promise<string[]> {
  const response = await client.get(`/v3/${path}`, { token });
  expect([path, response.status]).toEqual([path, 200]);
  return (response.body as { projects: OnWire[] }).projects.map(({ name }) => name);
}

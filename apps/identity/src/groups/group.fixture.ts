/** Groups that a test makes. */
import type { TestResponse } from '@cumulet/testing/http-client';
import type { TestIdentity } from '../identity.fixture.js';

export interface GroupOnWire {
  readonly id: string;
  readonly name: string;
  readonly [property: string]: unknown;
}

/** @throws Error where the answer carries no group */
export function groupIn(response: TestResponse): GroupOnWire {
  const { group } = (response.body ?? {}) as { group?: GroupOnWire };
  if (!group) throw new Error(`no group: ${response.status} ${response.text}`);
  return group;
}

/** @param fields beside a name that nobody has */
export async function makeGroup(
  { client }: TestIdentity,
  token: string,
  fields: object = {},
): Promise<GroupOnWire> {
  made += 1;
  const group = { name: `group ${made}`, ...fields };
  return groupIn(await client.post('/v3/groups', { token, body: { group } }));
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

/** Groups that a test makes. */
import { resourceIn, type OnWire, type TestIdentity } from '../identity.fixture.js';

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

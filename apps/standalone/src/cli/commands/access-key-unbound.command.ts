/** `cumulet access-key unbound`: access keys from before they were bound to their creator's token. */
import type { Command, CommandScope } from '../command.js';
import { IdentitySession, type Named } from '../identity/identity-session.js';
import { tableOf } from './table.js';

/** As identity answers it. */
interface UnboundKey {
  readonly id: string;
  readonly user_id: string;
  readonly project_id: string | null;
  readonly created_at: string;
}

const HEADING = ['ID', 'USER', 'PROJECT', 'CREATED'];

export const accessKeyUnbound: Command = {
  words: ['access-key', 'unbound'],
  operands: [],
  summary:
    'list access keys that an application credential may have made without being bound to it',
  details: [
    'Access keys from before Cumulet bound them to the application credential that makes them. Who made',
    'which is not known; each has all roles of its user in its project, and no end. One that nobody needs',
    'is removed with `openstack credential delete ID`; one that is needed is made anew.',
  ],
  options: {
    json: { type: 'boolean', about: 'print JSON instead of a table' },
  },
  prepare({ options }) {
    const isJson = options['json'] === true;
    return (scope) => run(isJson, scope);
  },
};

async function run(isJson: boolean, scope: CommandScope): Promise<void> {
  await IdentitySession.during(await scope.findActor(), async (identity) => {
    const body = await identity.send({ path: '/v3/OS-EC2/access-keys' });
    const { access_keys: keys } = body as { readonly access_keys: readonly UnboundKey[] };
    if (isJson) {
      await scope.print(`${JSON.stringify({ access_keys: keys }, null, 2)}\n`);
      return;
    }
    const users = await namesOf(identity, 'users');
    const projects = await namesOf(identity, 'projects');
    const rows = keys.map(({ id, user_id: userId, project_id: projectId, created_at: created }) => [
      id,
      named(users, userId),
      projectId === null ? '' : named(projects, projectId),
      created.slice(0, 19),
    ]);
    await scope.print(tableOf([HEADING, ...rows]));
  });
}

async function namesOf(
  identity: IdentitySession,
  collection: 'users' | 'projects',
): Promise<ReadonlyMap<string, string>> {
  const body = await identity.send({ path: `/v3/${collection}` });
  const named = (body as Record<string, readonly Named[]>)[collection] ?? [];
  return new Map(named.map(({ id, name }) => [id, name]));
}

/** Names are unique in a domain alone. */
function named(names: ReadonlyMap<string, string>, id: string): string {
  const name = names.get(id);
  return name === undefined ? id : `${name} (${id})`;
}

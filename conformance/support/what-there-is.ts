/** What a cloud's services hold of what stacks make there: what a stack leaves behind shows in it. */
import type { CloudWithUsers } from './cloud-with-users.js';

/** Commands of the openstack client that list things: of all projects, and of the user's own. */
const LISTS = {
  admin: [
    ...['server list --all-projects', 'server group list --all-projects'],
    ...['network list', 'subnet list', 'port list', 'router list', 'floating ip list'],
    ...['security group list'],
    ...['loadbalancer list', 'loadbalancer listener list', 'loadbalancer pool list'],
    ...['loadbalancer healthmonitor list', 'stack list --nested --all-projects'],
    ...['image list', 'project list', 'user list'],
  ],
  demo: [
    ...[
      'trust list --auth-user',
      'ec2 credentials list',
      'application credential list',
      'keypair list',
    ],
    ...['secret list', 'secret container list'],
  ],
} as const;

/** @returns the ids of what there is, by the command that lists it */
export async function whatThereIs(
  clients: Pick<CloudWithUsers, 'admin' | 'demo'>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const user of ['admin', 'demo'] as const)
    for (const command of LISTS[user]) {
      const rows = await clients[user].json<Record<string, unknown>[]>(...command.split(' '));
      // Each project gets one when it is first asked for.
      const own = rows.filter((row) => row['Name'] !== 'default');
      // The first column is the id, or what stands for one.
      found[command] = own.map((row) => String(Object.values(row)[0])).sort();
    }
  return found;
}

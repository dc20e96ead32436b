/** Networks that are shared by policies, and their free addresses, with the openstack client, against the standalone cloud. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;

withProject(async (started) => {
  ({ admin, demo } = started);
  await admin.text(...words`network create ours`);
  await admin.text(...words`subnet create --network ours --subnet-range 10.9.0.0/24 ours-v4`);
});

describe('the openstack client and networks of others', () => {
  it(
    'shares a network with a project, until nothing there needs it',
    async () => {
      const { project_id: project } = await demo.json<Fields>('token', 'issue');
      const command = ['network', 'rbac'];
      const { id } = await admin.json<Fields>(
        ...command,
        'create',
        '--type',
        'network',
        '--action',
        'access_as_shared',
        '--target-project',
        String(project),
        'ours',
      );
      const policy = String(id);
      expect(await admin.json<Fields>(...command, 'show', policy)).toMatchObject({
        object_type: 'network',
        action: 'access_as_shared',
        target_project_id: project,
      });
      const listed = await admin.json<Fields[]>(
        ...command,
        ...words`list --type network --action access_as_shared --long`,
      );
      expect(listed).toMatchObject([{ ID: policy, Action: 'access_as_shared' }]);
      expect(await demo.json<Fields>('network', 'show', 'ours')).toMatchObject({ shared: true });
      await demo.text(...words`port create --network ours guest`);
      const needed = await admin.run(...command, 'delete', policy);
      expect(needed.stderr).toContain('cannot be removed because other objects depend on it');
      await demo.text(...words`port delete guest`);
      await admin.text(...command, 'delete', policy);
      const gone = await demo.run('network', 'show', 'ours');
      expect(gone.stderr).toContain('No Network found for ours');
    },
    10 * MINUTES,
  );

  it(
    'shares other things in the same way',
    async () => {
      const { project_id: project } = await demo.json<Fields>('token', 'issue');
      await admin.text(...words`security group create shared-group`);
      await admin.text(...words`address scope create shared-scope`);
      await admin.text(
        ...words`subnet pool create --pool-prefix 10.40.0.0/16 --address-scope shared-scope shared-pool`,
      );
      await admin.text(...words`address group create --address 10.41.0.0/16 shared-addresses`);
      await admin.text(...words`network qos policy create shared-policy`);
      const kinds = [
        ['security_group', 'shared-group', 'security group'],
        ['address_scope', 'shared-scope', 'address scope'],
        ['subnetpool', 'shared-pool', 'subnet pool'],
        ['address_group', 'shared-addresses', 'address group'],
        ['qos_policy', 'shared-policy', 'network qos policy'],
      ] as const;
      for (const [type, name, command] of kinds) {
        const before = await demo.run(...command.split(' '), 'show', name);
        expect(before.stderr).toMatch(/No .* found/);
        await admin.text(
          ...words`network rbac create --type ${type} --action access_as_shared`,
          '--target-project',
          String(project),
          name,
        );
        expect(await demo.json<Fields>(...command.split(' '), 'show', name)).toMatchObject({
          name,
        });
      }
      await demo.text(...words`network create guests`);
      await demo.text(...words`port create --network guests --security-group shared-group guest`);
      const needed = await admin.run(...words`security group delete shared-group`);
      expect(needed.stderr).toContain('in use');
    },
    10 * MINUTES,
  );

  it(
    'shows every project the subnet for floating IPs and VIPs',
    async () => {
      const seen = await demo.json<Fields>(...words`subnet show public-subnet`);
      expect(seen).toMatchObject({ 'router:external': true, cidr: '172.24.4.0/24' });
      const listed = await demo.json<Fields[]>(...words`subnet list --network public`);
      expect(listed).toMatchObject([{ Name: 'public-subnet' }]);
    },
    10 * MINUTES,
  );

  it(
    'shows how many addresses of a network are in use',
    async () => {
      await admin.text(...words`port create --network ours counted`);
      // The network's own port for metadata has one, too.
      const counts = { total_ips: 253, used_ips: 2 };
      expect(await admin.json<Fields>(...words`ip availability show ours`)).toMatchObject({
        network_name: 'ours',
        ...counts,
        subnet_ip_availability: [{ subnet_name: 'ours-v4', cidr: '10.9.0.0/24', ...counts }],
      });
      const listed = await admin.json<Fields[]>(...words`ip availability list --ip-version 4`);
      const ours = { 'Network Name': 'ours', 'Total IPs': 253, 'Used IPs': 2 };
      expect(listed).toContainEqual(expect.objectContaining(ours));
    },
    10 * MINUTES,
  );
});

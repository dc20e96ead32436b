/** Networks that are shared by policies, and their free addresses, with the openstack client, against the standalone cloud. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenStackClient } from '../support/openstack-client.js';
import { RunningCloud } from '../support/running-cloud.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let cloud: RunningCloud;
let admin: OpenStackClient;
let demo: OpenStackClient;

beforeAll(async () => {
  cloud = await RunningCloud.start({ COMPUTE_HYPERVISOR: 'simulated' });
  admin = await OpenStackClient.install(cloud.cloudsYaml, 'cumulet-admin');
  demo = admin.entry(cloud.cloudsYaml, 'cumulet');
  await admin.text(...words`network create ours`);
  await admin.text(...words`subnet create --network ours --subnet-range 10.9.0.0/24 ours-v4`);
}, 12 * MINUTES);

afterAll(async () => {
  await cloud.remove();
  await admin.close();
}, MINUTES);

describe('the openstack client and networks of others', () => {
  it(
    'shares a network with a project, until nothing there needs it',
    async () => {
      const { project_id: project } = await demo.json<Fields>('token', 'issue');
      const command = ['network', 'rbac'];
      const { id } = await admin.json<Fields>(
        ...[...command, 'create', '--type', 'network', '--action', 'access_as_shared'],
        ...['--target-project', String(project), 'ours'],
      );
      const policy = String(id);
      expect(await admin.json<Fields>(...command, 'show', policy)).toMatchObject({
        ...{ object_type: 'network', action: 'access_as_shared', target_project_id: project },
      });
      const listed = await admin.json<Fields[]>(
        ...[...command, ...words`list --type network --action access_as_shared --long`],
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
    3 * MINUTES,
  );

  it(
    'shows how many addresses of a network are in use',
    async () => {
      await admin.text(...words`port create --network ours counted`);
      const counts = { total_ips: 253, used_ips: 1 };
      expect(await admin.json<Fields>(...words`ip availability show ours`)).toMatchObject({
        ...{ network_name: 'ours', ...counts },
        subnet_ip_availability: [{ subnet_name: 'ours-v4', cidr: '10.9.0.0/24', ...counts }],
      });
      const listed = await admin.json<Fields[]>(...words`ip availability list --ip-version 4`);
      const ours = { 'Network Name': 'ours', 'Total IPs': 253, 'Used IPs': 1 };
      expect(listed).toContainEqual(expect.objectContaining(ours));
    },
    MINUTES,
  );
});

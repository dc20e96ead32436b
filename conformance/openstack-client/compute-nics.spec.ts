/** Networks of servers with the openstack client, against the standalone cloud. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject, type ProjectOfItsOwn } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let own: ProjectOfItsOwn;
let admin: OpenStackClient;
let demo: OpenStackClient;

withProject(async (started) => {
  own = started;
  ({ admin, demo } = started);
  await admin.text(...words`network create --external outside`);
  await admin.text(
    ...words`subnet create --network outside --subnet-range 203.0.113.0/24 --no-dhcp outside-v4`,
  );
  await demo.text(...words`network create inside`);
  await demo.text(...words`subnet create --network inside --subnet-range 10.9.0.0/24 inside-v4`);
  await demo.text(...words`router create --external-gateway outside gate`);
  await demo.text(...words`router add subnet gate inside-v4`);
});

const until = (what: string, holds: () => Promise<boolean>): Promise<boolean> =>
  eventually(what, 5 * MINUTES, async () => (await holds()) || undefined);

const show = (kind: string, name: string): Promise<Fields> =>
  demo.json<Fields>(...kind.split(' '), 'show', name);

const addressesOf = async (name: string): Promise<unknown> =>
  (await show('server', name))['addresses'];

const create = (name: string, ...options: string[]) =>
  demo.text(...words`server create --image micro --flavor m1.nano --wait`, ...options, name);

const portsOf = async (name: string): Promise<Fields[]> =>
  demo.json<Fields[]>('port', 'list', '--server', name);

/** @returns what `server ssh` runs ssh with: a program of that name, which notes it down, stands in its place */
async function sshOf(...args: string[]): Promise<string> {
  const [ssh, asked] = [join(own.folder, 'ssh'), join(own.folder, 'asked')];
  await writeFile(ssh, `#!/bin/sh\necho "$*" >'${asked}'\n`);
  await chmod(ssh, 0o700);
  const env = { OS_CLIENT_CONFIG_FILE: own.cloudsYaml, OS_CLOUD: 'cumulet' };
  await demo.with({ ...env, PATH: own.folder }).text('server', 'ssh', ...args);
  return (await readFile(asked, 'utf8')).trim();
}

describe('the openstack client and networks of servers', () => {
  it(
    'creates servers on a network, by address and by port, lists them, and deletes them',
    async () => {
      await demo.text(...words`port create --network inside --fixed-ip ip-address=10.9.0.44 own`);
      await create('plain', ...words`--network inside`);
      await create('fixed', '--nic', `net-id=inside,v4-fixed-ip=10.9.0.33`);
      await create('given', ...words`--port own`);
      expect(await addressesOf('fixed')).toEqual({ inside: ['10.9.0.33'] });
      expect(await addressesOf('given')).toEqual({ inside: ['10.9.0.44'] });
      const found = await demo.json<Fields[]>(...words`server list --ip 10.9.0.33`);
      expect(found).toMatchObject([{ Name: 'fixed', Networks: { inside: ['10.9.0.33'] } }]);
      expect(await portsOf('plain')).toHaveLength(1);
      await demo.text(...words`server delete --wait plain fixed given`);
      const left = await demo.json<Fields[]>(...words`port list --network inside --long`);
      const ofServers = left.filter((port) => String(port['Device Owner']).startsWith('compute:'));
      expect(ofServers).toEqual([]);
      expect(await show('port', 'own')).toMatchObject({ device_id: '', status: 'DOWN' });
      await demo.text(...words`port delete own`);
    },
    10 * MINUTES,
  );

  it(
    'says why it creates none',
    async () => {
      const nowhere = await demo.run(
        ...words`server create --image micro --flavor m1.nano --network nowhere x`,
      );
      expect(nowhere.stderr).toMatch(/No Network found for nowhere/);
      const outside = await demo.run(
        ...words`server create --image micro --flavor m1.nano --network outside x`,
      );
      expect(outside.stderr).toContain('It is not allowed to create an interface on external');
    },
    10 * MINUTES,
  );

  it(
    'attaches and detaches ports, networks, addresses and groups',
    async () => {
      await create('web', ...words`--network inside`);
      await demo.text(...words`port create --network inside second`);
      await demo.text(...words`server add port web second`);
      await until('it is there', async () => (await portsOf('web')).length === 2);
      await demo.text(...words`server remove port web second`);
      await until('it is free', async () => (await portsOf('web')).length === 1);
      await demo.text(...words`server add network web inside`);
      await until('there are two', async () => (await portsOf('web')).length === 2);
      await demo.text(...words`server remove network web inside`);
      await until('there are none', async () => (await portsOf('web')).length === 0);
      await demo.text(...words`server add fixed ip --fixed-ip-address 10.9.0.66 web inside`);
      await until('it has the address', async () =>
        JSON.stringify(await addressesOf('web')).includes('10.9.0.66'),
      );
      await demo.text(...words`security group create doors`);
      await demo.text(...words`server add security group web doors`);
      expect(await show('server', 'web')).toMatchObject({
        security_groups: [{ name: 'default' }, { name: 'doors' }],
      });
      await demo.text(...words`server remove security group web doors`);
      const made = await demo.json<Fields>(...words`floating ip create outside`);
      const floating = String(made['floating_ip_address']);
      await demo.text('server', 'add', 'floating', 'ip', 'web', floating);
      await until('it has the floating address', async () =>
        JSON.stringify(await addressesOf('web')).includes(floating),
      );
      expect(await sshOf('web', '--', 'uptime')).toBe(`${floating} uptime -l ${own.project}`);
      expect(await sshOf('web', '--private')).toBe(`10.9.0.66 -l ${own.project}`);
      await demo.text('server', 'remove', 'floating', 'ip', 'web', floating);
      await until(
        'it has none',
        async () => !JSON.stringify(await addressesOf('web')).includes(floating),
      );
      // Nova has withdrawn it in 2.44, and the client asks for it all the same.
      const remove = ['server', 'remove', 'fixed', 'ip', 'web', '10.9.0.66'];
      expect((await demo.run(...remove)).stderr).toContain('is not supported on this method');
      await demo.text('--os-compute-api-version', '2.43', ...remove);
      expect(await addressesOf('web')).toEqual({});
      await demo.text(...words`server delete --wait web`);
    },
    10 * MINUTES,
  );

  it(
    'empties the project of servers at once',
    async () => {
      await create('rest', ...words`--network inside`);
      await demo.text(...words`project cleanup --auto-approve --auth-project`);
      expect(await demo.json<Fields[]>(...words`server list`)).toEqual([]);
      const left = await demo.json<Fields[]>(...words`port list --long`);
      const owners = left.map((port) => String(port['Device Owner']));
      expect(owners.filter((owner) => owner.startsWith('compute:'))).toEqual([]);
      // It takes a network for used whose metadata port is OVN's.
      expect(await show('network', 'inside')).toMatchObject({ status: 'ACTIVE' });
    },
    10 * MINUTES,
  );
});

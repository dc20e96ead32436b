/** What the openstack client says to compute besides servers: flavors and key pairs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOAMj0mdXwyjOvr+sPtZxr5FVKjANMWCM8F/8Kjx5SQU demo@laptop';

let admin: OpenStackClient;
let demo: OpenStackClient;
let folder: string;
let project: string;

withProject((own) => {
  ({ admin, demo, folder, project } = own);
});

type Row = Readonly<Record<string, unknown>>;

const names = async (client: OpenStackClient, ...command: string[]): Promise<unknown[]> =>
  (await client.json<Row[]>(...command)).map(({ Name }) => Name);

describe('the openstack client and flavors', () => {
  it(
    'creates, shows, changes and deletes one',
    async () => {
      await admin.text(
        ...words`flavor create --id 4711 --ram 64 --disk 1 --vcpus 2 --description first`,
        ...words`--property hw:cpu_sockets=2 shiny`,
      );
      const shown = await demo.json<Row>(...words`flavor show shiny`);
      expect(shown).toMatchObject({
        id: '4711',
        ram: 64,
        vcpus: 2,
        description: 'first',
        properties: { 'hw:cpu_sockets': '2' },
      });
      await admin.text(...words`flavor set --description second --property own=x shiny`);
      await admin.text(...words`flavor unset --property hw:cpu_sockets shiny`);
      expect(await demo.json<Row>(...words`flavor show shiny`)).toMatchObject({
        description: 'second',
        properties: { own: 'x' },
      });
      await admin.text(...words`flavor delete shiny`);
      expect(await names(demo, ...words`flavor list`)).not.toContain('shiny');
    },
    10 * MINUTES,
  );

  it(
    'gives a private one to a project, and takes it back',
    async () => {
      await admin.text(...words`flavor create --private --ram 64 --disk 1 --vcpus 1 secret`);
      expect(await names(demo, ...words`flavor list`)).not.toContain('secret');
      await admin.text(...words`flavor set --project ${project} secret`);
      expect(await names(demo, ...words`flavor list`)).toContain('secret');
      expect(await admin.json<Row>(...words`flavor show secret`)).toMatchObject({
        access_project_ids: [expect.any(String) as unknown],
      });
      await admin.text(...words`flavor unset --project ${project} secret`);
      expect((await demo.run(...words`flavor show secret`)).exitCode).not.toBe(0);
      expect(await names(admin, ...words`flavor list --all`)).toContain('secret');
    },
    10 * MINUTES,
  );
});

describe('the openstack client and key pairs', () => {
  it(
    'imports one, starts a server with it, and deletes it',
    async () => {
      const file = join(folder, 'id.pub');
      await writeFile(file, PUBLIC_KEY);
      await demo.text('keypair', 'create', '--public-key', file, 'mine');
      expect(await names(demo, ...words`keypair list`)).toEqual(['mine']);
      expect((await demo.text(...words`keypair show --public-key mine`)).trim()).toBe(PUBLIC_KEY);
      await demo.text(
        ...words`server create --image micro --flavor m1.nano --nic none --key-name mine --wait keyed`,
      );
      expect(await demo.json<Row>(...words`server show keyed`)).toMatchObject({ key_name: 'mine' });
      await demo.text(...words`server delete --wait keyed`);
      await demo.text(...words`keypair delete mine`);
      expect(await names(demo, ...words`keypair list`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'has one made',
    async () => {
      const file = join(folder, 'made');
      await demo.text('keypair', 'create', '--private-key', file, '--type', 'ssh', 'made');
      const shown = await demo.json<Row>(...words`keypair show made`);
      expect(shown).toMatchObject({ name: 'made', type: 'ssh' });
    },
    10 * MINUTES,
  );
});

describe('the openstack client and limits', () => {
  it(
    'reads those of the project',
    async () => {
      const limits = await demo.json<Row[]>(...words`limits show --absolute`);
      expect(limits).toContainEqual({ Name: 'total_cores', Value: 20 });
    },
    10 * MINUTES,
  );
});

/** What administrators offer of load balancers, with the openstack client, against the standalone cloud. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
let project: string;

withProject((own) => {
  ({ admin, demo, project } = own);
});

const asked = <T = Fields>(client: OpenStackClient, ...args: string[]): Promise<T> =>
  client.json<T>(...args);

describe('the openstack client and what load balancers are offered', () => {
  it(
    'names providers and what their profiles can say',
    async () => {
      const providers = await asked<Fields[]>(demo, ...words`loadbalancer provider list`);
      expect(providers.map(({ name }) => name)).toEqual(['haproxy', 'amphora', 'octavia']);
      const all = await asked<Fields[]>(
        admin,
        ...words`loadbalancer provider capability list octavia`,
      );
      expect(all.map(({ type, name }) => `${String(type)} ${String(name)}`)).toEqual([
        'flavor loadbalancer_topology',
        'flavor connection_limit',
        'flavor threads',
        'availability_zone compute_zone',
        'availability_zone valid_vip_networks',
      ]);
    },
    10 * MINUTES,
  );

  it(
    'makes flavors and availability zones, of which load balancers are',
    async () => {
      const of = words`--name big --provider haproxy`;
      const flavorData = ['--flavor-data', '{"threads": 2}'];
      await asked(admin, ...words`loadbalancer flavorprofile create`, ...of, ...flavorData);
      await asked(
        admin,
        ...words`loadbalancer flavor create --name big --flavorprofile big --enable`,
      );
      const zoneData = ['--availability-zone-data', '{"compute_zone": "nova"}'];
      await asked(admin, ...words`loadbalancer availabilityzoneprofile create`, ...of, ...zoneData);
      const zone = words`--name north --availabilityzoneprofile big --description up`;
      await asked(admin, ...words`loadbalancer availabilityzone create`, ...zone);

      const made = await asked(
        demo,
        ...words`loadbalancer create --name web --vip-subnet-id vips --flavor big --availability-zone north --wait`,
      );
      const flavor = await asked(demo, ...words`loadbalancer flavor show big`);
      expect(made).toMatchObject({ flavor_id: flavor['id'], availability_zone: 'north' });
      for (const what of ['flavor', 'availabilityzone']) {
        const name = what === 'flavor' ? 'big' : 'north';
        await expect(admin.text(...words`loadbalancer ${what} delete ${name}`)).rejects.toThrow(
          'in use',
        );
      }
      await admin.text(...words`loadbalancer flavor set --disable big`);
      await admin.text(...words`loadbalancer availabilityzone unset --description north`);
      const another = words`loadbalancer create --name no --vip-subnet-id vips --flavor big`;
      await expect(asked(demo, ...another)).rejects.toThrow('is not allowed in this deployment');
    },
    10 * MINUTES,
  );

  it(
    'shows what runs them, and has it replaced',
    async () => {
      const { id } = await asked(
        demo,
        ...words`loadbalancer create --name mine --vip-subnet-id vips --wait`,
      );
      const list = (): Promise<Fields[]> =>
        asked(
          admin,
          ...words`loadbalancer amphora list --loadbalancer ${String(id)} --status ALLOCATED`,
        );
      const [one] = await list();
      expect(one).toMatchObject({ loadbalancer_id: id, role: 'STANDALONE' });
      const instance = String(one?.['id']);
      expect(await asked(admin, ...words`loadbalancer amphora show ${instance}`)).toMatchObject({
        status: 'ALLOCATED',
      });
      // It has no listeners yet.
      const stats = admin.text(...words`loadbalancer amphora stats show ${instance}`);
      await expect(stats).rejects.toThrow('not found');
      await admin.text(...words`loadbalancer amphora configure ${instance}`);
      const remove = admin.text(...words`loadbalancer amphora delete ${instance}`);
      await expect(remove).rejects.toThrow('is immutable');
      await admin.text(...words`loadbalancer amphora failover --wait ${instance}`);
      const [another] = await list();
      expect(another?.['id']).not.toBe(instance);
      await admin.text(...words`loadbalancer failover --wait ${String(id)}`);
      const [third] = await list();
      expect(third?.['id']).not.toBe(another?.['id']);
    },
    10 * MINUTES,
  );

  it(
    'limits projects',
    async () => {
      const limits = words`--loadbalancer 2 --member 500 --healthmonitor 3`;
      const set = await asked(admin, ...words`loadbalancer quota set`, ...limits, project);
      expect(set).toMatchObject({ load_balancer: 2, member: 500, health_monitor: 3 });
      const third = words`loadbalancer create --name third --vip-subnet-id vips`;
      await expect(asked(demo, ...third)).rejects.toThrow('Quota exhausted for loadbalancer');
      await admin.text(...words`loadbalancer quota unset --member ${project}`);
      const defaults = await asked(demo, ...words`loadbalancer quota defaults show`);
      expect(await asked(admin, ...words`loadbalancer quota show ${project}`)).toMatchObject({
        load_balancer: 2,
        member: defaults['member'],
      });
      expect(await asked<Fields[]>(admin, ...words`loadbalancer quota list`)).toHaveLength(1);
      await admin.text(...words`loadbalancer quota reset ${project}`);
      expect(await asked(admin, ...words`loadbalancer quota show ${project}`)).toEqual(defaults);
    },
    10 * MINUTES,
  );

  it(
    'lists, changes and removes what it offers',
    async () => {
      const named = (one: string): string[] => [...words`--name ${one} --provider haproxy`];
      await admin.text(
        ...words`loadbalancer flavorprofile create --flavor-data {}`,
        ...named('small'),
      );
      await admin.text(
        ...words`loadbalancer availabilityzoneprofile create --availability-zone-data {}`,
        ...named('south'),
      );
      await admin.text(...words`loadbalancer flavorprofile set --name tiny small`);
      await admin.text(...words`loadbalancer availabilityzoneprofile set --name east south`);
      await admin.text(
        ...words`loadbalancer flavor create --name tiny --flavorprofile tiny --description little`,
      );
      await admin.text(
        ...words`loadbalancer availabilityzone create --name east --availabilityzoneprofile east`,
      );
      await admin.text(...words`loadbalancer flavor unset --description tiny`);
      await admin.text(...words`loadbalancer availabilityzone set --description far east`);
      const shown = [
        await asked(admin, ...words`loadbalancer flavorprofile show tiny`),
        await asked(admin, ...words`loadbalancer availabilityzoneprofile show east`),
        await asked(admin, ...words`loadbalancer availabilityzone show east`),
      ];
      expect(shown).toMatchObject([
        { provider_name: 'haproxy' },
        { provider_name: 'haproxy' },
        { description: 'far' },
      ]);
      const lists = [
        await asked<Fields[]>(admin, ...words`loadbalancer flavorprofile list`),
        await asked<Fields[]>(admin, ...words`loadbalancer availabilityzoneprofile list`),
        await asked<Fields[]>(admin, ...words`loadbalancer flavor list`),
        await asked<Fields[]>(admin, ...words`loadbalancer availabilityzone list`),
      ];
      const names = lists.map((rows) => rows.map(({ name }) => name));
      expect(names.map((all) => all.includes('tiny') || all.includes('east'))).toEqual([
        true,
        true,
        true,
        true,
      ]);
      await admin.text(...words`loadbalancer flavor delete tiny`);
      await admin.text(...words`loadbalancer availabilityzone delete east`);
      await admin.text(...words`loadbalancer flavorprofile delete tiny`);
      await admin.text(...words`loadbalancer availabilityzoneprofile delete east`);
    },
    10 * MINUTES,
  );
});

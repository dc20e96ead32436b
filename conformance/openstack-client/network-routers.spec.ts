/** Routers with the openstack client, against the standalone cloud. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;

withProject(async (own) => {
  ({ demo } = own);
  await demo.text(...words`network create inside`);
  await demo.text(...words`subnet create --network inside --subnet-range 10.9.0.0/24 inside-v4`);
});

const show = (name: string): Promise<Fields> => demo.json<Fields>('router', 'show', name);

describe('the openstack client and routers', () => {
  it(
    'creates, changes, lists and deletes them',
    async () => {
      await demo.text(...words`router create --description first --tag red gate`);
      expect(await show('gate')).toMatchObject({ status: 'ACTIVE', tags: ['red'] });
      await demo.text(...words`router set --disable --name way gate`);
      const found = await demo.json<Fields[]>(...words`router list --disable --tags red`);
      expect(found).toMatchObject([{ Name: 'way', State: false }]);
      await demo.text(...words`router delete way`);
      expect(await demo.json<Fields[]>(...words`router list --name way`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'leads networks out, and has them reach what is behind their hosts',
    async () => {
      await demo.text(...words`router create --external-gateway public gate`);
      await demo.text(...words`router add subnet gate inside-v4`);
      const { id, external_gateway_info: info, interfaces_info: interfaces } = await show('gate');
      expect(info).toMatchObject({ enable_snat: true, external_fixed_ips: [{}] });
      expect(interfaces).toMatchObject([{ ip_address: '10.9.0.1' }]);
      await demo.text(
        ...words`router add route --route destination=10.8.0.0/16,gateway=10.9.0.9 gate`,
      );
      expect((await show('gate'))['routes']).toEqual([
        { destination: '10.8.0.0/16', nexthop: '10.9.0.9' },
      ]);
      const needed = await demo.run(...words`router remove subnet gate inside-v4`);
      expect(needed.stderr).toContain('required by one or more routes');
      await demo.text(
        ...words`router remove route --route destination=10.8.0.0/16,gateway=10.9.0.9 gate`,
      );
      const [port] = await demo.json<Fields[]>('port', 'list', '--router', 'gate');
      const owned = await demo.run('port', 'delete', String(port?.['ID']));
      expect(owned.stderr).toContain('cannot be deleted directly via the port API');
      const inUse = await demo.run('router', 'delete', 'gate');
      expect(inUse.stderr).toContain(`Router ${String(id)} has ports still attached`);
      await demo.text(...words`router remove subnet gate inside-v4`);
      await demo.text(...words`router unset --external-gateway gate`);
      expect(await show('gate')).toMatchObject({ external_gateway_info: null });
      await demo.text(...words`router delete gate`);
    },
    10 * MINUTES,
  );

  it(
    'gives them interfaces by port, and several gateways',
    async () => {
      await demo.text(...words`router create gate`);
      await demo.text(...words`port create --network inside door`);
      await demo.text(...words`router add port gate door`);
      const port = await demo.json<Fields>('port', 'show', 'door');
      expect(port).toMatchObject({ device_owner: 'network:router_interface' });
      await demo.text(...words`router remove port gate door`);
      await demo.text(...words`router add gateway gate public`);
      await demo.text(...words`router add gateway gate public`);
      expect((await show('gate'))['external_gateways']).toHaveLength(2);
      await demo.text(...words`router delete gate`);
    },
    10 * MINUTES,
  );
});

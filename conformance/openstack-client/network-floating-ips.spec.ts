/** Floating IPs with their port forwardings, with the openstack client, against the standalone cloud. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;

withProject(async (own) => {
  ({ admin, demo } = own);
  await demo.text(...words`network create inside`);
  await demo.text(...words`subnet create --network inside --subnet-range 10.9.0.0/24 inside-v4`);
  await demo.text(...words`router create --external-gateway public gate`);
  await demo.text(...words`router add subnet gate inside-v4`);
  await demo.text(...words`port create --network inside web`);
});

const show = (kind: string, name: string): Promise<Fields> =>
  demo.json<Fields>(...kind.split(' '), 'show', name);

const create = async (): Promise<string> => {
  const made = await demo.json<Fields>('floating', 'ip', 'create', 'public');
  return String(made['floating_ip_address']);
};

describe('the openstack client and floating IPs', () => {
  it(
    'creates, associates, lists and deletes them',
    async () => {
      const address = await create();
      await demo.text('floating', 'ip', 'set', '--port', 'web', '--description', 'door', address);
      const { id: portId } = await show('port', 'web');
      expect(await show('floating ip', address)).toMatchObject({
        port_id: portId,
        description: 'door',
        fixed_ip_address: expect.any(String),
        port_details: { name: 'web' },
      });
      const found = await demo.json<Fields[]>('floating', 'ip', 'list', '--port', 'web');
      expect(found).toMatchObject([{ 'Floating IP Address': address, Port: portId }]);
      const needed = await demo.run(...words`router unset --external-gateway gate`);
      expect(needed.stderr).toContain('required by one or more floating IPs');
      await demo.text('floating', 'ip', 'unset', '--port', address);
      expect(await show('floating ip', address)).toMatchObject({ port_id: null, status: 'DOWN' });
      await demo.text('floating', 'ip', 'delete', address);
      expect(await demo.json<Fields[]>('floating', 'ip', 'list')).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'forwards their ports',
    async () => {
      const address = await create();
      const command = ['floating', 'ip', 'port', 'forwarding'];
      await demo.text(
        ...command,
        'create',
        ...words`--internal-ip-address`,
        String(
          ((await show('port', 'web'))['fixed_ips'] as { ip_address: string }[])[0]?.ip_address,
        ),
        ...words`--port web --internal-protocol-port 22 --external-protocol-port 2222 --protocol tcp`,
        address,
      );
      const [one] = await demo.json<Fields[]>(...command, 'list', address);
      expect(one).toMatchObject({ 'Internal Port': 22, 'External Port': 2222, Protocol: 'tcp' });
      const id = String(one?.['ID']);
      await demo.text(...command, 'set', '--external-protocol-port', '2223', address, id);
      expect(await demo.json<Fields>(...command, 'show', address, id)).toMatchObject({
        external_port: 2223,
      });
      const inUse = await demo.run('floating', 'ip', 'delete', address);
      expect(inUse.stderr).toContain('in use by Port Forwarding resources');
      await demo.text(...command, 'delete', address, id);
      await demo.text('floating', 'ip', 'delete', address);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and QoS policies of what is outside', () => {
  it(
    'limits floating IPs and gateways, and takes the limits off',
    async () => {
      await admin.text(...words`network qos policy create --share slow`);
      await admin.text(
        ...words`network qos rule create --type bandwidth-limit --max-kbps 1000 --egress slow`,
      );
      const { id } = await show('network qos policy', 'slow');
      const policy = { qos_policy_id: id };
      const made = await demo.json<Fields>(...words`floating ip create --qos-policy slow public`);
      expect(made).toMatchObject(policy);
      const address = String(made['floating_ip_address']);
      await demo.text(...words`floating ip unset --qos-policy ${address}`);
      expect(await show('floating ip', address)).toMatchObject({ qos_policy_id: null });
      await demo.text(...words`floating ip set --qos-policy slow ${address}`);
      expect(await show('floating ip', address)).toMatchObject(policy);
      await demo.text(...words`router set --external-gateway public --qos-policy slow gate`);
      expect(await show('router', 'gate')).toMatchObject({ external_gateway_info: policy });
      const inUse = await admin.run(...words`network qos policy delete slow`);
      expect(inUse.stderr).toContain('is used by');
      await demo.text(...words`router unset --qos-policy gate`);
      await demo.text(...words`floating ip delete ${address}`);
      await admin.text(...words`network qos policy delete slow`);
    },
    10 * MINUTES,
  );
});

/** Templates of clusters with the openstack client. */
import { describe, expect, it } from '@jest/globals';
import { TEMPLATE } from '../support/cluster-cloud.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;
let admin: OpenStackClient;

withProject((started) => {
  ({ demo, admin } = started);
});

const create = (client: OpenStackClient, name: string, ...options: string[]): Promise<string> =>
  client.text(...words`coe cluster template create ${name}`, ...TEMPLATE, ...options);

const shown = (name: string): Promise<Fields> =>
  demo.json<Fields>(...words`coe cluster template show ${name}`);

const names = async (client: OpenStackClient): Promise<unknown[]> =>
  (await client.json<Fields[]>(...words`coe cluster template list`)).map(({ name }) => name);

describe('the openstack client and templates of clusters', () => {
  it(
    'creates and shows one',
    async () => {
      await create(demo, 'plain', ...words`--labels a=1,b=2 --tags red --docker-volume-size 5`);
      expect(await shown('plain')).toMatchObject({
        coe: 'kubernetes',
        image_id: 'node',
        flavor_id: 'm1.micro',
        external_network_id: 'public',
        dns_nameserver: '8.8.8.8',
        labels: { a: '1', b: '2' },
        tags: 'red',
        docker_volume_size: 5,
        server_type: 'vm',
        public: false,
        hidden: false,
        tls_disabled: false,
        master_lb_enabled: false,
        floating_ip_enabled: true,
      });
    },
    3 * MINUTES,
  );

  it(
    'changes one',
    async () => {
      await demo.text(
        ...words`coe cluster template update plain --name changed --flavor m1.nano`,
        ...words`--master-lb-enabled --label c=3 --no-label a`,
      );
      expect(await shown('changed')).toMatchObject({
        name: 'changed',
        flavor_id: 'm1.nano',
        master_lb_enabled: true,
        labels: { b: '2', c: '3' },
      });
    },
    3 * MINUTES,
  );

  it(
    'lists them in pages',
    async () => {
      await create(demo, 'second');
      expect(await names(demo)).toEqual(['changed', 'second']);
      const [first] = await demo.json<Fields[]>(
        ...words`coe cluster template list --limit 1 --sort-key name --sort-dir desc`,
      );
      expect(first).toMatchObject({ name: 'second' });
    },
    3 * MINUTES,
  );

  it(
    'lets administrators alone show one to everybody',
    async () => {
      const options = words`coe cluster template create forbidden --public`;
      expect(await demo.refusal(...options, ...TEMPLATE)).toContain('HTTP 403');
      await create(admin, 'shared', '--public');
      await create(admin, 'own');
      expect(await names(demo)).toEqual(['changed', 'second', 'shared']);
      expect(await shown('shared')).toMatchObject({ public: true });
    },
    3 * MINUTES,
  );

  it(
    'says what is wrong with one',
    async () => {
      const wrong = (...options: string[]): Promise<string> =>
        demo.refusal(...words`coe cluster template create wrong`, ...TEMPLATE, ...options);
      expect(await wrong(...words`--flavor none`)).toMatch(/none.*HTTP 400/);
      expect(await wrong(...words`--image none`)).toMatch(/none.*HTTP 400/);
      expect(await wrong(...words`--network-driver none`)).toMatch(/none.*HTTP 400/);
      expect(await wrong(...words`--external-network none`)).toMatch(/none.*HTTP 400/);
    },
    3 * MINUTES,
  );

  it(
    'deletes them',
    async () => {
      await demo.text(...words`coe cluster template delete changed second`);
      expect(await names(demo)).toEqual(['shared']);
    },
    3 * MINUTES,
  );
});

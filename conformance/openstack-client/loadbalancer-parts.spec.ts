/** Parts of load balancers, listed, shown, changed and deleted with the openstack client. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;

withProject(async (started) => {
  ({ demo } = started);
  await run(words`loadbalancer create --name web --vip-subnet-id vips --wait`);
  await run(
    words`loadbalancer listener create --name http --protocol HTTP --protocol-port 80 --wait web`,
  );
  await run(words`loadbalancer pool create --name servers --listener http --protocol HTTP`, [
    ...words`--lb-algorithm ROUND_ROBIN --wait`,
  ]);
  await run(words`loadbalancer member create --name one --address 192.0.2.1`, [
    ...words`--protocol-port 80 --wait servers`,
  ]);
  await run(words`loadbalancer healthmonitor create --name alive --type HTTP --delay 5`, [
    ...words`--timeout 3 --max-retries 2 --url-path /health --wait servers`,
  ]);
  await run(words`loadbalancer l7policy create --name old --action REJECT --wait http`);
  const rule = await shown(words`loadbalancer l7rule create --type PATH --value /old`, [
    ...words`--compare-type STARTS_WITH --wait old`,
  ]);
  ruleId = String(rule['id']);
});

let ruleId = '';

const run = (command: string[], more: string[] = []): Promise<string> =>
  demo.text(...command, ...more);

const shown = (command: string[], more: string[] = []): Promise<Fields> =>
  demo.json<Fields>(...command, ...more);

const listed = async (command: string[]): Promise<Fields[]> => demo.json<Fields[]>(...command);

describe('the openstack client', () => {
  it(
    'lists each kind of part',
    async () => {
      const lists = [
        await listed(words`loadbalancer list`),
        await listed(words`loadbalancer listener list --loadbalancer web`),
        await listed(words`loadbalancer pool list --loadbalancer web`),
        await listed(words`loadbalancer member list servers`),
        await listed(words`loadbalancer healthmonitor list`),
        await listed(words`loadbalancer l7policy list`),
      ];
      expect(lists.map((rows) => rows.map(({ name }) => name))).toEqual([
        ['web'],
        ['http'],
        ['servers'],
        ['one'],
        ['alive'],
        ['old'],
      ]);
      expect(await listed(words`loadbalancer l7rule list old`)).toMatchObject([{ value: '/old' }]);
    },
    10 * MINUTES,
  );

  it(
    'changes each kind of part',
    async () => {
      await run(words`loadbalancer set --description all --tag red --wait web`);
      await run(words`loadbalancer listener set --connection-limit 100 --wait http`);
      await run(words`loadbalancer pool set --lb-algorithm LEAST_CONNECTIONS --wait servers`);
      await run(words`loadbalancer member set --weight 5 --monitor-port 8080 --wait servers one`);
      await run(words`loadbalancer healthmonitor set --delay 9 --wait alive`);
      await run(words`loadbalancer l7policy set --action REDIRECT_TO_URL --wait`, [
        ...words`--redirect-url http://www.example.com/ old`,
      ]);
      await run(words`loadbalancer l7rule set --value /older --invert --wait old ${ruleId}`);
      const after = [
        await shown(words`loadbalancer show web`),
        await shown(words`loadbalancer listener show http`),
        await shown(words`loadbalancer pool show servers`),
        await shown(words`loadbalancer member show servers one`),
        await shown(words`loadbalancer healthmonitor show alive`),
        await shown(words`loadbalancer l7policy show old`),
        await shown(words`loadbalancer l7rule show old ${ruleId}`),
      ];
      expect(after).toMatchObject([
        { description: 'all', provisioning_status: 'ACTIVE' },
        { connection_limit: 100, provisioning_status: 'ACTIVE' },
        { lb_algorithm: 'LEAST_CONNECTIONS' },
        { weight: 5, monitor_port: 8080 },
        { delay: 9 },
        { action: 'REDIRECT_TO_URL', redirect_url: 'http://www.example.com/' },
        { value: '/older', invert: true },
      ]);
    },
    10 * MINUTES,
  );

  it(
    'takes back what parts were given',
    async () => {
      await run(words`loadbalancer unset --description --tag red --wait web`);
      await run(words`loadbalancer listener unset --connection-limit --wait http`);
      await run(words`loadbalancer pool unset --name --wait`, [await idOf('pool')]);
      await run(words`loadbalancer member unset --monitor-port --weight --wait`, [
        await idOf('pool'),
        'one',
      ]);
      await run(words`loadbalancer healthmonitor unset --url-path --wait alive`);
      await run(words`loadbalancer l7policy unset --redirect-http-code --wait old`);
      await run(words`loadbalancer l7rule unset --invert --wait old ${ruleId}`);
      const after = [
        await shown(words`loadbalancer show web`),
        await shown(words`loadbalancer listener show http`),
        await shown([...words`loadbalancer member show`, await idOf('pool'), 'one']),
        await shown(words`loadbalancer healthmonitor show alive`),
        await shown(words`loadbalancer l7rule show old ${ruleId}`),
      ];
      expect(after).toMatchObject([
        { description: '' },
        { connection_limit: -1 },
        { weight: 1, monitor_port: null },
        { url_path: '/' },
        { invert: false },
      ]);
    },
    10 * MINUTES,
  );

  it(
    'deletes each kind of part',
    async () => {
      const pool = await idOf('pool');
      await run(words`loadbalancer l7rule delete --wait old ${ruleId}`);
      await run(words`loadbalancer l7policy delete --wait old`);
      await run(words`loadbalancer healthmonitor delete --wait alive`);
      await run(words`loadbalancer member delete --wait ${pool} one`);
      await run(words`loadbalancer pool delete --wait ${pool}`);
      await run(words`loadbalancer listener delete --wait http`);
      await run(words`loadbalancer delete --wait web`);
      expect(await listed(words`loadbalancer list`)).toEqual([]);
    },
    10 * MINUTES,
  );
});

/** Of the only one, by whatever name. */
async function idOf(kind: 'pool'): Promise<string> {
  const [row] = await listed(words`loadbalancer ${kind} list`);
  return String(row?.['id']);
}

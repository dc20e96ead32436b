/** What the openstack client does to servers, one action after the other. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

let admin: OpenStackClient;
let demo: OpenStackClient;

withProject((started) => {
  ({ admin, demo } = started);
});

type Row = Readonly<Record<string, unknown>>;

/** @returns its id */
async function createServer(name: string): Promise<string> {
  const { id } = await demo.json<{ id: string }>(
    ...words`server create --image micro --flavor m1.nano --nic none --wait ${name}`,
  );
  return id;
}

const show = (server: string, ...options: string[]): Promise<Row> =>
  demo.json<Row>(...options, ...words`server show ${server}`);

const until = (server: string, status: string): Promise<true> =>
  eventually(`${server} is ${status}`, 3 * MINUTES, async () => {
    const { status: now, 'OS-EXT-STS:task_state': task } = await show(server);
    return (now === status && task === null) || undefined;
  });

async function newestAction(server: string): Promise<unknown> {
  const [newest] = await demo.json<Row[]>(...words`server event list ${server}`);
  return newest?.['Action'];
}

/** Does one thing to a server after the other, until each is done. */
async function passes(steps: readonly (readonly [string[], string, string])[]): Promise<void> {
  for (const [command, server, status] of steps) {
    await demo.text(...command, server);
    await until(server, status);
  }
}

describe('the openstack client and the machines of servers', () => {
  it(
    'pauses, suspends and rescues one, and takes each back',
    async () => {
      await createServer('still');
      await passes([
        [words`server pause`, 'still', 'PAUSED'],
        [words`server unpause`, 'still', 'ACTIVE'],
        [words`server suspend`, 'still', 'SUSPENDED'],
        [words`server resume`, 'still', 'ACTIVE'],
        [words`server rescue --image micro --password from-outside`, 'still', 'RESCUE'],
        [words`server unrescue`, 'still', 'ACTIVE'],
      ]);
      expect(await demo.refusal(...words`server unpause still`)).toMatch(
        /Cannot 'unpause' instance [-\w]+ while it is in vm_state active/,
      );
      expect(await demo.refusal(...words`server restore still`)).toMatch(
        /Cannot 'restore' instance [-\w]+ while it is in vm_state active/,
      );
      await demo.text(...words`server delete --wait still`);
    },
    10 * MINUTES,
  );

  it(
    'makes one dump its memory only while it runs',
    async () => {
      await createServer('crashing');
      await demo.text(...words`--os-compute-api-version 2.17 server dump create crashing`);
      expect(await newestAction('crashing')).toBe('trigger_crash_dump');
      await demo.text(...words`server stop crashing`);
      await until('crashing', 'SHUTOFF');
      expect(
        await demo.refusal(...words`--os-compute-api-version 2.17 server dump create crashing`),
      ).toMatch(/Cannot 'trigger_crash_dump' instance [-\w]+ while it is in vm_state stopped/);
      await demo.text(...words`server delete --wait crashing`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and locks of servers', () => {
  it(
    'keeps others from one, says why, and lets them again',
    async () => {
      await createServer('safe');
      const since = words`--os-compute-api-version 2.73`;
      await demo.text(...since, 'server', 'lock', '--reason', 'an audit', 'safe');
      expect(await show('safe', ...since)).toMatchObject({
        locked: true,
        locked_reason: 'an audit',
      });
      expect(await demo.refusal(...words`server stop safe`)).toContain('is locked');
      await demo.text(...words`server unlock safe`);
      expect(await show('safe', ...since)).toMatchObject({ locked: false, locked_reason: null });
      await demo.text(...words`server stop safe`);
      await until('safe', 'SHUTOFF');
      await demo.text(...words`server delete --wait safe`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and what servers are made of', () => {
  it(
    'rebuilds one under another name',
    async () => {
      const id = await createServer('worn');
      const rebuilt = await demo.json<Row>(
        ...words`server rebuild --image micro --name fresh --password from-outside worn`,
      );
      expect(rebuilt).toMatchObject({ id, name: 'fresh', adminPass: 'from-outside' });
      await until('fresh', 'ACTIVE');
      expect(await newestAction('fresh')).toBe('rebuild');
      await demo.text(...words`server delete --wait fresh`);
    },
    10 * MINUTES,
  );

  it(
    'resizes one, and confirms that or reverts it',
    async () => {
      await createServer('growing');
      const flavorOf = async (): Promise<unknown> => {
        const { flavor } = await show('growing', '--os-compute-api-version', '2.47');
        return (flavor as Row)['original_name'];
      };
      await demo.text(...words`server resize --flavor m1.micro --wait growing`);
      await until('growing', 'VERIFY_RESIZE');
      expect(await flavorOf()).toBe('m1.micro');
      await passes([[words`server resize revert`, 'growing', 'ACTIVE']]);
      expect(await flavorOf()).toBe('m1.nano');
      await demo.text(...words`server resize --flavor m1.micro --wait growing`);
      await passes([[words`server resize confirm`, 'growing', 'ACTIVE']]);
      expect(await flavorOf()).toBe('m1.micro');
      expect(await demo.refusal(...words`server resize confirm growing`)).toMatch(
        /Cannot 'confirmResize' instance [-\w]+ while it is in vm_state active/,
      );
      await demo.text(...words`server delete --wait growing`);
    },
    10 * MINUTES,
  );

  it(
    'does so under the names that migrations have, and lists them',
    async () => {
      const id = await createServer('moved');
      await demo.text(...words`server resize --flavor m1.micro --wait moved`);
      await passes([[words`server migration revert`, 'moved', 'ACTIVE']]);
      await demo.text(...words`server resize --flavor m1.micro --wait moved`);
      await passes([[words`server migration confirm`, 'moved', 'ACTIVE']]);
      const migrations = await admin.json<Row[]>(
        ...words`--os-compute-api-version 2.80 server migration list --server ${id}`,
      );
      expect(migrations.map(({ Type, Status }) => [Type, Status])).toEqual([
        ['resize', 'confirmed'],
        ['resize', 'reverted'],
      ]);
      // Only what moves live can be looked at, hurried or given up.
      const [{ Id: number, UUID: uuid } = {}] = migrations;
      const refused = async (command: string[], migration: unknown): Promise<string> =>
        admin.refusal(...command, id, String(migration));
      expect([
        await refused(words`--os-compute-api-version 2.80 server migration show`, uuid),
        await refused(words`--os-compute-api-version 2.80 server migration abort`, number),
        await refused(words`--os-compute-api-version 2.80 server migration force complete`, number),
      ]).toEqual([
        expect.stringContaining('In-progress live migration'),
        expect.stringContaining("invalid state for 'abort live migration'"),
        expect.stringContaining("invalid state for 'force_complete'"),
      ]);
      await demo.text(...words`server delete --wait moved`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and what administrators do to servers', () => {
  it(
    'says that one has failed, and that it has not',
    async () => {
      const id = await createServer('declared');
      await admin.text(...words`server set --auto-approve --state error ${id}`);
      await until('declared', 'ERROR');
      await admin.text(...words`server set --auto-approve --state active ${id}`);
      await until('declared', 'ACTIVE');
      expect(
        await demo.refusal(...words`server set --auto-approve --state error declared`),
      ).toContain('403');
      expect(await show('declared')).toMatchObject({ status: 'ACTIVE' });
      await demo.text(...words`server delete --wait declared`);
    },
    10 * MINUTES,
  );

  it(
    'migrates one, where there is another host',
    async () => {
      const id = await createServer('staying');
      expect(await admin.refusal(...words`server evacuate ${id}`)).toMatch(
        /Compute service of \S+ is still in use/,
      );
      await admin.text(...words`server migrate ${id}`);
      // There is none.
      await until('staying', 'ACTIVE');
      const list = words`--os-compute-api-version 2.80 server migration list --server ${id}`;
      const [migration] = await admin.json<Row[]>(...list);
      expect(migration).toMatchObject({ Status: 'error', Type: 'migration', 'Server UUID': id });
      const live = words`--os-compute-api-version 2.30 server migrate --live-migration ${id}`;
      expect(await admin.refusal(...live)).toContain("The server action 'os-migrateLive'");
      expect(await show('staying')).toMatchObject({ status: 'ACTIVE' });
      await demo.text(...words`server delete --wait staying`);
    },
    10 * MINUTES,
  );
});

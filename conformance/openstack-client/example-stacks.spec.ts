/** The examples of stacks, with the openstack client: created, changed and deleted, where nothing runs. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { withCloud, type CloudWithUsers } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import { exampleStack, settledStack } from '../support/example-stacks.js';
import { SIMULATED_CLOUD } from '../support/simulated-cloud.js';
import { templateFiles } from '../support/template-files.js';
import { whatThereIs } from '../support/what-there-is.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
/** All that a disk needs for a server to be booted from it. */
const BOOT_SECTOR = Buffer.alloc(512);
BOOT_SECTOR.writeUInt16LE(0xaa55, 510);

type Fields = Readonly<Record<string, unknown>>;

let started: CloudWithUsers;
let before: Awaited<ReturnType<typeof whatThereIs>>;

const write = templateFiles();

withCloud(SIMULATED_CLOUD, (cloud) => {
  started = cloud;
});

beforeAll(async () => {
  const disk = await write('disk', BOOT_SECTOR);
  await started.admin.text(
    ...words`image create --public --disk-format raw --container-format bare --file ${disk} micro`,
  );
  await started.demo.text(...words`network create inside`);
  await started.demo.text(
    ...words`subnet create --network inside --subnet-range 10.20.0.0/24 inside-v4`,
  );
  await started.demo.text(...words`router create --external-gateway public gate`);
  await started.demo.text(...words`router add subnet gate inside-v4`);
  before = await whatThereIs(started.cloud);
}, 5 * MINUTES);

const run = (...command: string[]): Promise<string> => started.demo.text(...command);
const shown = (...command: string[]): Promise<Fields> => started.demo.json<Fields>(...command);

const output = async (name: string): Promise<unknown> =>
  (await shown(...words`stack output show one ${name}`))['output_value'];

/** The statuses of one's own servers. */
const servers = async (): Promise<unknown[]> =>
  (await started.demo.json<Fields[]>(...words`server list`)).map((row) => row['Status']);

afterEach(async () => {
  await run(...words`stack delete --yes --wait one`);
  expect(await whatThereIs(started.cloud)).toEqual(before);
}, 3 * MINUTES);

describe('the example', () => {
  it(
    'of two servers waits for what they say, and replaces the one that changes',
    async () => {
      const template = exampleStack('two-servers');
      await run(...words`stack create --template ${template} one`);
      const address = await eventually('the handle has an address', 2 * MINUTES, async () => {
        const { attributes } = await shown(...words`stack resource show one served`);
        const { endpoint } = (attributes ?? {}) as { endpoint?: string | null };
        return endpoint ?? undefined;
      });
      for (const reason of ['one', 'another'])
        await fetch(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ status: 'SUCCESS', reason }),
        });
      expect(await settledStack(started.demo, 'one', 2 * MINUTES)).toBe('CREATE_COMPLETE');
      expect(await output('url')).toMatch(/^http:\/\/[\d.]+\/$/);
      const serverOf = async (name: string): Promise<unknown> =>
        (await shown(...words`stack resource show one ${name}`))['physical_resource_id'];
      const [first, second] = [await serverOf('first'), await serverOf('second')];
      await run(...words`stack update --template ${template} --parameter greeting=Hola --wait one`);
      expect(await serverOf('first')).not.toBe(first);
      expect(await serverOf('second')).toBe(second);
    },
    5 * MINUTES,
  );

  it(
    'of a web tier lets in what its parameter says',
    async () => {
      const template = exampleStack('web-tier');
      await run(
        ...words`stack create --template ${template} --parameter network=inside --wait one`,
      );
      const { physical_resource_id: group } = await shown(...words`stack resource show one group`);
      const ports = async (): Promise<unknown[]> => {
        const list = words`security group rule list --ingress --protocol tcp ${String(group)}`;
        return (await started.demo.json<Fields[]>(...list)).map((row) => row['Port Range']).sort();
      };
      expect(await ports()).toEqual(['22:22', '80:80']);
      await run(...words`stack update --existing --parameter ports=22,443 --wait one`);
      expect(await ports()).toEqual(['22:22', '443:443']);
      expect(await output('address')).toMatch(/^[\d.]+$/);
    },
    5 * MINUTES,
  );

  it(
    'of a scaling group grows by a POST, and shrinks by another',
    async () => {
      const template = exampleStack('scaling-group');
      await run(
        ...words`stack create --template ${template} --parameter network=inside --wait one`,
      );
      expect(await servers()).toEqual(['ACTIVE', 'ACTIVE']);
      for (const [name, count] of [
        ['grow', 3],
        ['shrink', 2],
      ] as const) {
        const address = String(await output(name));
        // For its cooldown after a change, a group takes no other.
        await eventually(`there are ${count} servers`, 2 * MINUTES, async () => {
          if ((await servers()).length === count) return true;
          await fetch(address, { method: 'POST' });
          return undefined;
        });
      }
      await run(...words`stack update --existing --parameter flavor=m1.micro --wait one`);
      expect(await servers()).toEqual(['ACTIVE', 'ACTIVE']);
    },
    5 * MINUTES,
  );

  it(
    'of nested templates has a network for each tenant',
    async () => {
      const template = exampleStack('nested');
      await run(...words`stack create --template ${template} --wait one`);
      expect(await output('networks')).toHaveLength(2);
      await run(...words`stack update --existing --parameter count=3 --wait one`);
      expect(await output('networks')).toHaveLength(3);
    },
    5 * MINUTES,
  );
});

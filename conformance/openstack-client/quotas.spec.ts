/** Quotas per project with the openstack client: of compute, and limits of images in identity. */
import { describe, expect, it } from '@jest/globals';
import { withCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

interface Row {
  readonly Resource: string;
  readonly Limit: number;
  readonly 'In Use'?: number;
}

let admin: OpenStackClient;
let demo: OpenStackClient;

withCloud({ COMPUTE_HYPERVISOR: 'simulated', NETWORK_DATA_PLANE: 'simulated' }, (started) => {
  ({ admin, demo } = started);
});

/** What `openstack quota show` says of a resource. */
async function quota(client: OpenStackClient, resource: string, ...args: string[]): Promise<Row> {
  const rows = await client.json<Row[]>('quota', 'show', ...args);
  const row = rows.find((one) => one.Resource === resource);
  if (!row) throw new Error(`no ${resource} in ${JSON.stringify(rows)}`);
  return row;
}

describe('the openstack client and the quotas of compute', () => {
  const boot = (name: string): Promise<{ exitCode: number | null; stderr: string }> =>
    demo.run('server', 'create', name, ...words`--image micro --flavor m1.nano --nic none --wait`);

  it(
    'shows those of a project to its members',
    async () => {
      expect(await quota(demo, 'cores')).toMatchObject({ Limit: 20 });
      expect(await quota(demo, 'properties')).toMatchObject({ Limit: 128 });
    },
    10 * MINUTES,
  );

  it(
    'sets them, for the project alone',
    async () => {
      await admin.text(...words`quota set --instances 1 --cores 5 --ram -1 demo`);
      expect(await quota(demo, 'cores')).toMatchObject({ Limit: 5 });
      expect(await quota(admin, 'ram', 'demo')).toMatchObject({ Limit: -1 });
      expect(await quota(admin, 'cores', 'admin')).toMatchObject({ Limit: 20 });
      expect(await quota(admin, 'cores', '--default', 'demo')).toMatchObject({ Limit: 20 });
    },
    10 * MINUTES,
  );

  it(
    'is refused one server too many, and shows what is in use',
    async () => {
      expect((await boot('one')).exitCode).toBe(0);
      const { exitCode, stderr } = await boot('two');
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Quota exhausted for instances: all 1 are in use');
      const row = await quota(admin, 'instances', '--usage', 'demo');
      expect(row).toMatchObject({ Limit: 1, 'In Use': 1 });
    },
    10 * MINUTES,
  );

  it(
    'is refused a limit below what is in use, unless it forces it',
    async () => {
      const { exitCode, stderr } = await admin.run(...words`quota set --instances 0 demo`);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('must be greater than or equal to already used and reserved 1');
      await admin.text(...words`quota set --force --instances 0 demo`);
      expect(await quota(demo, 'instances')).toMatchObject({ Limit: 0 });
    },
    10 * MINUTES,
  );

  it(
    'lists the projects that differ from the defaults',
    async () => {
      const rows = await admin.json<{ Cores: number }[]>(...words`quota list --compute`);
      expect(rows).toEqual([expect.objectContaining({ Cores: 5, Instances: 0, Ram: -1 })]);
    },
    10 * MINUTES,
  );

  it(
    'gives a project the defaults again',
    async () => {
      await admin.text(...words`quota delete demo`);
      expect(await quota(demo, 'instances')).toMatchObject({ Limit: 10 });
      expect(await admin.json(...words`quota list --compute`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'changes the defaults',
    async () => {
      await admin.text(...words`quota set --default --cores 7`);
      expect(await quota(demo, 'cores')).toMatchObject({ Limit: 7 });
    },
    10 * MINUTES,
  );

  it(
    'leaves all that to administrators',
    async () => {
      const { exitCode, stderr } = await demo.run(...words`quota set --cores 9 demo`);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/403/);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and the limits of images', () => {
  const create = (): ReturnType<OpenStackClient['run']> =>
    demo.run(...words`image create --disk-format raw --container-format bare limited`);

  it(
    'sets them in identity',
    async () => {
      await admin.text(
        ...words`registered limit create --service glance --default-limit 50 image_count_total`,
      );
      await admin.text(
        ...words`limit create --service glance --project demo --resource-limit 0 image_count_total`,
      );
      const { stderr } = await eventually('the limit holds', 3 * MINUTES, async () => {
        const result = await create();
        return result.exitCode === 0 ? undefined : result;
      });
      expect(stderr).toContain('Quota exhausted for image_count_total: all 0 are in use');
    },
    10 * MINUTES,
  );

  it(
    'takes them back',
    async () => {
      const [limit] = await admin.json<{ ID: string }[]>(...words`limit list --service glance`);
      await admin.text('limit', 'delete', limit?.ID ?? '');
      await eventually('the default holds', 3 * MINUTES, async () =>
        (await create()).exitCode === 0 ? true : undefined,
      );
    },
    10 * MINUTES,
  );
});

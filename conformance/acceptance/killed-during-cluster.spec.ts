/**
 * The whole process is killed while a cluster of real servers is made, and again while it goes: the
 * service of clusters, orchestration and compute's agent with it. It is complete, or has failed for a
 * reason, and nothing of it is left in the end.
 */
import { expect, it } from '@jest/globals';
import { withAnyCloud, type AnyCloud, type CloudWithUsers } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import { whatThereIs } from '../support/what-there-is.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
/** Ends a test that hangs; guests that are emulated side by side take a slow machine minutes. */
const LIMIT_MS = 15 * MINUTES;

type Fields = Readonly<Record<string, unknown>>;

let started: CloudWithUsers<AnyCloud>;
let before: Awaited<ReturnType<typeof whatThereIs>>;

withAnyCloud({ COMPUTE_HYPERVISOR: 'qemu', NETWORK_DATA_PLANE: 'ovn' }, async (cloud) => {
  started = cloud;
  // Its guests play nodes as soon as their user data say so.
  await cloud.admin.text(...words`image set --property os_distro=cumulet-node micro`);
  await cloud.demo.text(
    ...words`coe cluster template create --coe kubernetes --image micro --external-network public
      --flavor m1.nano --master-flavor m1.nano --master-lb-enabled micro`,
  );
  before = await whatThereIs(cloud.cloud);
});

const show = (): Promise<Fields> => started.demo.json<Fields>(...words`coe cluster show web`);

async function killedOnce(what: string, isThere: () => Promise<boolean>): Promise<void> {
  await eventually(what, LIMIT_MS, async () => (await isThere()) || undefined);
  await started.cloud.kill();
  await started.cloud.start();
}

it(
  'goes on with what was being made',
  async () => {
    await started.demo.text(
      ...words`coe cluster create --cluster-template micro --node-count 2 web`,
    );
    await killedOnce('its stack is begun', async () => (await show())['cluster_id'] !== null);
    await killedOnce('a server is there', async () => {
      const servers = await started.demo.json<Fields[]>(...words`server list`);
      return servers.length > 0;
    });
    const settled = await eventually('it settles', LIMIT_MS, async () => {
      const shown = await show();
      return String(shown['status']).endsWith('IN_PROGRESS') ? undefined : shown;
    });
    expect(settled).toMatchObject({ status: 'CREATE_COMPLETE', status_reason: null });
    const servers = await started.demo.json<Fields[]>(...words`server list`);
    expect(servers).toHaveLength(3);
  },
  LIMIT_MS,
);

it(
  'leaves nothing when it is deleted and all dies again meanwhile',
  async () => {
    await started.demo.text(...words`coe cluster delete web`);
    await started.cloud.kill();
    await started.cloud.start();
    await eventually('it is gone', LIMIT_MS, async () => {
      const { exitCode } = await started.demo.run(...words`coe cluster show web`);
      return exitCode === 0 ? undefined : true;
    });
    expect(await whatThereIs(started.cloud)).toEqual(before);
    expect(await started.cloud.guestProcesses()).toEqual([]);
  },
  LIMIT_MS,
);

/**
 * A real cluster, as its users have it: made and changed by the stock client of OpenStack, used by
 * kubectl. One master and two workers are machines of QEMU on OVN; Kubernetes asks the platform for a
 * load balancer, which the host reaches; and nothing of all that is left in the end. A processor that
 * is emulated takes minutes for each boot.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withCloud, type CloudWithUsers } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import { whatThereIs } from '../support/what-there-is.js';
import { words } from '../support/words.js';
import { ECHO } from './echo.js';
import { Kubectl } from './kubectl.js';
import { BUILD_LIMIT_MS, kubectlOf, nodeImage, requireMemory } from './node-image.js';

const MINUTES = 60_000;
const BOOT_LIMIT_MS = 45 * MINUTES;
const VERSION = process.env['CUMULET_KUBERNETES'] ?? '1.35.4';
/** Where `npm run node-image` leaves its files. */
const BUILT =
  process.env['CUMULET_NODE_IMAGES'] ?? fileURLToPath(new URL('../../.cumulet', import.meta.url));

type Fields = Readonly<Record<string, unknown>>;

let started: CloudWithUsers;
let folder: string;
let kubectl: Kubectl;
let before: Awaited<ReturnType<typeof whatThereIs>>;

withCloud(
  { COMPUTE_HYPERVISOR: 'qemu', NETWORK_DATA_PLANE: 'ovn', LOADBALANCER_DATA_PLANE: 'haproxy' },
  (cloud) => {
    requireMemory();
    started = cloud;
  },
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-kubernetes-'));
  const image = await nodeImage(BUILT, VERSION);
  const { admin, demo } = started;
  await admin.text(
    ...words`image create --public --disk-format qcow2 --file ${image.path} --min-disk ${String(image.minDisk)} --min-ram ${String(image.minRam)}`,
    ...image.properties.flatMap((one) => ['--property', one]),
    'kubernetes',
  );
  await admin.text(...words`flavor create --vcpus 1 --ram 2560 --disk 10 k8s.master`);
  await admin.text(...words`flavor create --vcpus 1 --ram 1536 --disk 10 k8s.worker`);
  before = await whatThereIs(started.cloud);
  await demo.text(
    ...words`coe cluster template create --coe kubernetes --image kubernetes --external-network public
      --flavor k8s.worker --master-flavor k8s.master --master-lb-enabled real`,
  );
}, BUILD_LIMIT_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

const show = (): Promise<Fields> => started.demo.json<Fields>(...words`coe cluster show real`);

/** @throws Error with what the cluster, and its nodes' consoles, say where it has failed */
async function becomes(status: string): Promise<Fields> {
  return eventually(status, BOOT_LIMIT_MS, async () => {
    const shown = await show();
    if (!String(shown['status']).endsWith('_FAILED'))
      return shown['status'] === status ? shown : undefined;
    throw new Error(`${JSON.stringify(shown)}\n${await consoles()}`);
  });
}

async function consoles(): Promise<string> {
  const servers = await started.demo.json<{ Name: string }[]>(...words`server list`);
  const logs = servers.map(async ({ Name: name }) => {
    const { stdout } = await started.demo.run(...words`console log show --lines 60 ${name}`);
    return `--- ${name}\n${stdout}`;
  });
  return (await Promise.all(logs)).join('\n');
}

/** Waits until Kubernetes has so many nodes, all of them Ready. */
async function ready(count: number): Promise<void> {
  await eventually(`${count} nodes are Ready`, BOOT_LIMIT_MS, async () => {
    const nodes = await kubectl.nodes().catch(() => new Map<string, string>());
    return (nodes.size === count && [...nodes.values()].every((is) => is === 'True')) || undefined;
  });
}

it(
  'is complete once its master and its workers are Ready',
  async () => {
    await started.demo.text(
      ...words`coe cluster create --cluster-template real --master-count 1 --node-count 2 --timeout 60 real`,
    );
    expect(await becomes('CREATE_COMPLETE')).toMatchObject({ coe_version: `v${VERSION}` });
    await started.demo.text(
      ...words`coe cluster config --dir ${folder} --force --output-certs real`,
    );
    const program = await kubectlOf(BUILT, VERSION, join(folder, 'bin'));
    kubectl = new Kubectl(program, folder, join(folder, 'config'));
    await ready(3);
  },
  BOOT_LIMIT_MS,
);

it(
  'runs pods that reach each other by their service’s name',
  async () => {
    await kubectl.apply('echo', ECHO);
    await eventually('two pods run', 15 * MINUTES, async () => {
      const path = '{.status.availableReplicas}';
      return (
        (await kubectl.attempt('get', 'deploy/echo', `--output=jsonpath=${path}`)) === '2' ||
        undefined
      );
    });
    const path = '--output=jsonpath={.items[*].metadata.name}';
    const pods = (await kubectl.text('get', 'pods', '--selector=app=echo', path)).split(' ');
    const url = 'http://echo.default.svc.cluster.local';
    for (const pod of pods) {
      const answers = new Set<string>();
      await eventually(`${pod} reaches both`, 15 * MINUTES, async () => {
        const name = await kubectl.attempt('exec', pod, '--', '/program', 'get', url);
        if (name !== undefined) answers.add(name);
        return pods.every((one) => answers.has(one)) || undefined;
      });
    }
  },
  40 * MINUTES,
);

it(
  'answers on the address of a load balancer that Kubernetes has asked for',
  async () => {
    const path = '--output=jsonpath={.status.loadBalancer.ingress[0].ip}';
    const address = await eventually(
      'an address',
      20 * MINUTES,
      async () => (await kubectl.attempt('get', 'service/echo', path)) || undefined,
    );
    const answer = await eventually('an answer', 10 * MINUTES, async () => {
      const signal = AbortSignal.timeout(10_000);
      const response = await fetch(`http://${address}`, { signal }).catch(() => undefined);
      return response?.ok ? (await response.text()).trim() : undefined;
    });
    expect(answer).toMatch(/^echo-/);
    const balancers = await started.demo.json<Fields[]>(...words`loadbalancer list`);
    expect(balancers.map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^kube_service_/),
    );
  },
  40 * MINUTES,
);

it(
  'measures its nodes',
  async () => {
    await eventually('metrics of nodes', 15 * MINUTES, async () => {
      const lines = (await kubectl.attempt('top', 'nodes', '--no-headers'))?.split('\n') ?? [];
      return (lines.length === 3 && !lines.join().includes('unknown')) || undefined;
    });
  },
  20 * MINUTES,
);

it.each([3, 1])(
  'gets %i workers',
  async (count) => {
    await started.demo.text(...words`coe cluster resize real ${String(count)}`);
    await becomes('UPDATE_COMPLETE');
    await ready(count + 1);
  },
  BOOT_LIMIT_MS,
);

it(
  'is UNHEALTHY once the machine of its worker is killed',
  async () => {
    await eventually('it is healthy', 10 * MINUTES, async () =>
      (await show())['health_status'] === 'HEALTHY' ? true : undefined,
    );
    const servers = await started.demo.json<{ ID: string; Name: string }[]>(...words`server list`);
    const worker = servers.find(({ Name: name }) => name.includes('-node-'));
    const guests = await started.cloud.guests();
    const [pid] = [...guests].find(([, id]) => id === worker?.ID) ?? [];
    if (pid === undefined) throw new Error('no machine of a worker runs');
    process.kill(pid, 'SIGKILL');
    const seen = await eventually('it is not', 15 * MINUTES, async () => {
      const shown = await show();
      return shown['health_status'] === 'UNHEALTHY' ? shown : undefined;
    });
    expect(JSON.stringify(seen['health_status_reason'])).toContain(worker?.Name);
  },
  30 * MINUTES,
);

it(
  'leaves nothing when it is deleted',
  async () => {
    await started.demo.text(...words`coe cluster delete real`);
    await eventually('it is gone', 20 * MINUTES, async () => {
      const { exitCode } = await started.demo.run(...words`coe cluster show real`);
      return exitCode === 0 ? undefined : true;
    });
    await started.demo.text(...words`coe cluster template delete real`);
    expect(await whatThereIs(started.cloud)).toEqual(before);
    expect(await started.cloud.guestProcesses()).toEqual([]);
  },
  30 * MINUTES,
);

/**
 * A real cluster, as its users have it: made and changed by the stock client of OpenStack, used by
 * kubectl. One master and two workers are machines of QEMU on OVN; Kubernetes asks the platform for a
 * load balancer, which the host reaches; and nothing of all that is left in the end. A processor that
 * is emulated takes minutes for each boot.
 */
import { expect, it } from '@jest/globals';
import { whatThereIs } from '../support/what-there-is.js';
import { words } from '../support/words.js';
import { ECHO } from './echo.js';
import type { Kubectl } from './kubectl.js';
import { patiently } from './patiently.js';
import {
  BOOT_LIMIT_MS,
  MINUTES,
  nodesReady,
  withRealCloud,
  type Fields,
  type RealCloud,
} from './real-cloud.js';

const VERSION = process.env['CUMULET_KUBERNETES'] ?? '1.35.4';

let cloud: RealCloud;
let kubectl: Kubectl;
/** Of the load balancer that Kubernetes has asked for. */
let address: string;
let before: Awaited<ReturnType<typeof whatThereIs>>;

/** A master, three workers and the cloud. */
withRealCloud(8, async (started) => {
  cloud = started;
  await cloud.template('real', VERSION);
  before = await whatThereIs(cloud.users.cloud);
});

/** Waits until a pod answers by the load balancer. */
async function echoes(): Promise<void> {
  const answer = await patiently('an answer', 10 * MINUTES, async () => {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`http://${address}`, { signal }).catch(() => undefined);
    return response?.ok ? (await response.text()).trim() : undefined;
  });
  expect(answer).toMatch(/^echo-/);
}

it(
  'is complete once its master and its workers are Ready',
  async () => {
    await cloud.users.demo.text(
      ...words`coe cluster create --cluster-template real --master-count 1 --node-count 2 --timeout 60 real`,
    );
    expect(await cloud.becomes('real', 'CREATE_COMPLETE')).toMatchObject({
      coe_version: `v${VERSION}`,
    });
    kubectl = await cloud.kubectl('real', VERSION);
    await nodesReady(kubectl, 3);
  },
  BOOT_LIMIT_MS,
);

it(
  'runs pods that reach each other by their service’s name',
  async () => {
    await kubectl.apply('echo', ECHO);
    await patiently('two pods run', 15 * MINUTES, async () => {
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
      await patiently(`${pod} reaches both`, 15 * MINUTES, async () => {
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
    address = await patiently(
      'an address',
      20 * MINUTES,
      async () => (await kubectl.attempt('get', 'service/echo', path)) || undefined,
    );
    await echoes();
    const balancers = await cloud.users.demo.json<Fields[]>(...words`loadbalancer list`);
    expect(balancers.map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^kube_service_/),
    );
  },
  40 * MINUTES,
);

it(
  'measures its nodes',
  async () => {
    await patiently('metrics of nodes', 15 * MINUTES, async () => {
      const lines = (await kubectl.attempt('top', 'nodes', '--no-headers'))?.split('\n') ?? [];
      return (lines.length === 3 && !lines.join().includes('unknown')) || undefined;
    });
  },
  20 * MINUTES,
);

it.each([3, 1])(
  'gets %i workers',
  async (count) => {
    await cloud.users.demo.text(...words`coe cluster resize real ${String(count)}`);
    await cloud.becomes('real', 'UPDATE_COMPLETE');
    await nodesReady(kubectl, count + 1);
  },
  BOOT_LIMIT_MS,
);

it(
  'knows nobody by a certificate of before once its authority is another',
  async () => {
    const before = kubectl;
    await cloud.users.demo.text(...words`coe ca rotate real`);
    await cloud.becomes('real', 'UPDATE_COMPLETE');
    kubectl = await cloud.kubectl('real', VERSION);
    await nodesReady(kubectl, 2);
    await expect(before.text('get', 'nodes')).rejects.toThrow(/certificate/);
    const knows = before.text(`--certificate-authority=${kubectl.authority}`, 'get', 'nodes');
    await expect(knows).rejects.toThrow(/must be logged in|Unauthorized/);
    await echoes();
  },
  BOOT_LIMIT_MS,
);

it(
  'is UNHEALTHY once the machine of its worker is killed',
  async () => {
    await cloud.isHealth('real', 'HEALTHY', 10 * MINUTES);
    const worker = await cloud.kill('-node-');
    const seen = await cloud.isHealth('real', 'UNHEALTHY', 15 * MINUTES);
    expect(JSON.stringify(seen['health_status_reason'])).toContain(worker);
  },
  30 * MINUTES,
);

it(
  'leaves nothing when it is deleted',
  async () => {
    await cloud.remove('real');
    expect(await whatThereIs(cloud.users.cloud)).toEqual(before);
    expect(await cloud.users.cloud.guestProcesses()).toEqual([]);
  },
  30 * MINUTES,
);

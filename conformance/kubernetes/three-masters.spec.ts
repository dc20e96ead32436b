/**
 * A control plane of three masters behind a load balancer: the loss of one, and of all that etcd has
 * there, is noticed by nobody who uses the cluster; auto-healing puts another in its place.
 */
import { expect, it } from '@jest/globals';
import { words } from '../support/words.js';
import type { Kubectl } from './kubectl.js';
import { patiently } from './patiently.js';
import { BOOT_LIMIT_MS, MINUTES, nodesReady, withRealCloud, type RealCloud } from './real-cloud.js';

const VERSION = process.env['CUMULET_KUBERNETES'] ?? '1.35.4';
const MASTERS = 3;

let cloud: RealCloud;
let kubectl: Kubectl;
let lost: string;

/** Three masters, and one that takes the place of another. */
withRealCloud(13, async (started) => {
  cloud = started;
  await cloud.template('three', VERSION);
});

const keep = (name: string): Promise<string> =>
  kubectl.text('create', 'configmap', name, '--from-literal=words=still here');

const kept = (name: string): Promise<string | undefined> =>
  kubectl.attempt('get', `configmap/${name}`, '--output=jsonpath={.data.words}');

it(
  'is complete once all three are Ready',
  async () => {
    await cloud.users.demo.text(
      ...words`coe cluster create --cluster-template three --master-count ${String(MASTERS)} --node-count 0
        --labels auto_healing_enabled=true --merge-labels --timeout 90 three`,
    );
    await cloud.becomes('three', 'CREATE_COMPLETE');
    kubectl = await cloud.kubectl('three', VERSION);
    await nodesReady(kubectl, MASTERS);
    await keep('before');
  },
  BOOT_LIMIT_MS,
);

it(
  'is read and written while one is lost, and says so',
  async () => {
    await cloud.isHealth('three', 'HEALTHY', 10 * MINUTES);
    lost = await cloud.kill('-master-');
    await patiently('the API answers', 10 * MINUTES, async () =>
      (await kept('before')) === 'still here' ? true : undefined,
    );
    await patiently('the API writes', 10 * MINUTES, async () => {
      if ((await kept('after')) === undefined) await keep('after').catch(() => undefined);
      return (await kept('after')) === 'still here' || undefined;
    });
    const seen = await cloud.isHealth('three', 'UNHEALTHY', 15 * MINUTES);
    expect(JSON.stringify(seen['health_status_reason'])).toContain(lost);
  },
  40 * MINUTES,
);

it(
  'has another in its place after a while, and what it had',
  async () => {
    await patiently('it is healed', BOOT_LIMIT_MS, async () => {
      const nodes = [...(await kubectl.nodes().catch(() => new Map<string, string>()))];
      const areReady = nodes.length === MASTERS && nodes.every(([, is]) => is === 'True');
      return (areReady && !nodes.some(([name]) => name === lost)) || undefined;
    });
    await cloud.becomes('three', 'UPDATE_COMPLETE');
    expect([await kept('before'), await kept('after')]).toEqual(['still here', 'still here']);
    await cloud.isHealth('three', 'HEALTHY', 10 * MINUTES);
  },
  BOOT_LIMIT_MS + 20 * MINUTES,
);

it(
  'goes as any other',
  async () => {
    await cloud.remove('three');
    expect(await cloud.users.demo.json(...words`server list`)).toEqual([]);
  },
  30 * MINUTES,
);

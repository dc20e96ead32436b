/**
 * A cluster that is upgraded: each node gives way to one of the next version. The new master joins the
 * old one's etcd before that leaves, so what the cluster has is still there.
 */
import { expect, it } from '@jest/globals';
import { words } from '../support/words.js';
import type { Kubectl } from './kubectl.js';
import { BOOT_LIMIT_MS, MINUTES, nodesReady, withRealCloud, type RealCloud } from './real-cloud.js';

const [OLD, NEW] = ['1.34.4', '1.35.4'];

let cloud: RealCloud;
let kubectl: Kubectl;
let oldWorker: string;

/** A master and a worker, twice while one takes the other's place. */
withRealCloud(8, async (started) => {
  cloud = started;
  await cloud.template('old', OLD);
  await cloud.template('new', NEW);
});

it(
  'begins with a master and a worker, and something to keep',
  async () => {
    await cloud.users.demo.text(
      ...words`coe cluster create --cluster-template old --node-count 1 --timeout 60 kept`,
    );
    expect(await cloud.becomes('kept', 'CREATE_COMPLETE')).toMatchObject({
      coe_version: `v${OLD}`,
    });
    kubectl = await cloud.kubectl('kept', NEW);
    await nodesReady(kubectl, 2);
    oldWorker = [...(await kubectl.nodes()).keys()].find((name) => name.includes('-node-')) ?? '';
    await kubectl.text('create', 'configmap', 'keepsake', '--from-literal=words=still here');
  },
  BOOT_LIMIT_MS,
);

it(
  'has nodes of the next version afterwards, and what it had',
  async () => {
    await cloud.users.demo.text(...words`coe cluster upgrade kept new`);
    expect(await cloud.becomes('kept', 'UPDATE_COMPLETE')).toMatchObject({
      coe_version: `v${NEW}`,
      node_count: 1,
      master_count: 1,
    });
    await nodesReady(kubectl, 2);
    const path = '--output=jsonpath={.items[*].status.nodeInfo.kubeletVersion}';
    expect(await kubectl.text('get', 'nodes', path)).toBe(`v${NEW} v${NEW}`);
    expect(await kubectl.text('get', 'configmap/keepsake', '--output=jsonpath={.data.words}')).toBe(
      'still here',
    );
    expect(await cloud.users.demo.json(...words`server list`)).toHaveLength(2);
  },
  BOOT_LIMIT_MS,
);

it(
  'has moved the pods of the worker of before, rather than lost them',
  async () => {
    const path = '{range .items[*]}{.source.host} {.involvedObject.name}{"\\n"}{end}';
    const killing = ['--all-namespaces', '--field-selector=reason=Killing'];
    const ended = await kubectl.text('get', 'events', ...killing, `--output=jsonpath=${path}`);
    expect(ended.split('\n')).toContainEqual(expect.stringMatching(`^${oldWorker} coredns-`));
  },
  BOOT_LIMIT_MS,
);

it(
  'goes as any other',
  async () => {
    await cloud.remove('kept');
    expect(await cloud.users.demo.json(...words`server list`)).toEqual([]);
  },
  30 * MINUTES,
);

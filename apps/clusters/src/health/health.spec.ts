/** Health by reports of nodes and by the API. */
import { describe, expect, it } from '@jest/globals';
import { aMaster, aNode } from '../rows.fixture.js';
import { replaceable } from './healing.js';
import { healthOf } from '../engine/kubernetes/kubernetes-health.js';
import { silentNodes, withSilence } from './silence.js';

const HEARD = new Date('2026-01-02T03:04:05Z');
const after = (seconds: number) => ({
  now: new Date(HEARD.getTime() + seconds * 1_000),
  reportSeconds: 20,
});

describe('a node', () => {
  it('is silent after three missed reports', () => {
    const node = aNode(1);
    expect(silentNodes([node], after(60))).toEqual([]);
    expect(silentNodes([node], after(61))).toEqual([node]);
  });

  it('is silent even if its last report was a failure', () => {
    const node = aNode(1, { status: 'FAILED', message: 'kubelet keeps failing' });
    expect(silentNodes([node], after(61))).toEqual([node]);
  });

  it.each<[string, object]>([
    ['has never been ready', { status: 'IN_PROGRESS', phase: 'images' }],
    ['has never reported', { status: 'SILENT', phase: null, heardAt: null }],
    ['is to go', { fate: 'retiring' }],
  ])('is not waited for where it %s', (_, values) => {
    expect(silentNodes([aNode(1, values)], after(3_600))).toEqual([]);
  });
});

describe('a cluster', () => {
  const well = { status: 'HEALTHY', reason: { api: 'ok' } } as const;

  it('is as its API says while all nodes report', () => {
    expect(withSilence(well, [aNode(1)], after(20))).toEqual(well);
  });

  it('no longer has the reported entries of a silent node', () => {
    const told = {
      status: 'HEALTHY',
      reason: { api: 'ok', 'web-node-1.Report': 'Silent' },
    } as const;
    expect(withSilence(told, [aNode(1)], after(20))).toEqual(well);
  });

  it('is unhealthy with a silent or failing node', () => {
    const nodes = [
      aNode(1),
      aNode(2, { status: 'FAILED', message: 'no space left', heardAt: after(60).now }),
    ];
    expect(withSilence(well, nodes, after(90))).toEqual({
      status: 'UNHEALTHY',
      reason: {
        api: 'ok',
        'web-node-1.Report': 'Silent since 2026-01-02T03:04:05.000Z',
        'web-node-2.Report': 'no space left',
      },
    });
  });
});

describe('a cluster according to its API', () => {
  it('is healthy if all expected nodes are ready', () => {
    const known = new Map([
      ['web-node-1', 'True'],
      ['a-stranger', 'False'],
    ]);
    expect(healthOf(known, ['web-node-1'])).toEqual({
      status: 'HEALTHY',
      reason: { api: 'ok', 'web-node-1.Ready': 'True', 'a-stranger.Ready': 'False' },
    });
  });

  it('is unhealthy if one is unready or unknown', () => {
    const known = new Map([['web-node-1', 'Unknown: Kubelet stopped posting node status.']]);
    const { status, reason } = healthOf(known, ['web-node-1', 'web-node-2']);
    expect(status).toBe('UNHEALTHY');
    expect(reason['web-node-1.Ready']).toContain('Kubelet stopped posting node status.');
    expect(reason).toHaveProperty(['web-node-2.Ready']);
  });
});

describe('lost nodes are replaced', () => {
  const [one, two, three] = [aMaster(1), aMaster(2), aMaster(3)];
  const worker = aNode(4);
  const all = [one, two, three, worker];

  it('if they are workers', () => {
    expect(replaceable([worker], all)).toEqual([worker]);
  });

  it('if they are masters, while etcd has a majority', () => {
    expect(replaceable([one], all)).toEqual([one]);
    expect(replaceable([one, two, worker], all)).toEqual([worker]);
    expect(replaceable([one], [one, worker])).toEqual([]);
  });

  it('if they are masters without etcd', () => {
    const fresh = aMaster(5, { hasEtcd: false });
    expect(replaceable([fresh], [one, fresh])).toEqual([fresh]);
  });
});

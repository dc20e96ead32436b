/** What is told of a cluster by what its nodes say, and by what its API says of them. */
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
  it('is silent once it has missed three reports', () => {
    const node = aNode(1);
    expect(silentNodes([node], after(60))).toEqual([]);
    expect(silentNodes([node], after(61))).toEqual([node]);
  });

  it('is silent, too, where its last words were that something fails', () => {
    const node = aNode(1, { status: 'FAILED', message: 'kubelet keeps failing' });
    expect(silentNodes([node], after(61))).toEqual([node]);
  });

  it.each<[string, object]>([
    ['has never been ready', { status: 'IN_PROGRESS', phase: 'images' }],
    ['has never said anything', { status: 'SILENT', phase: null, heardAt: null }],
    ['is to go', { fate: 'retiring' }],
  ])('is not waited for where it %s', (_, values) => {
    expect(silentNodes([aNode(1, values)], after(3_600))).toEqual([]);
  });
});

describe('a cluster', () => {
  const well = { status: 'HEALTHY', reason: { api: 'ok' } } as const;

  it('is as its API says while all speak', () => {
    expect(withSilence(well, [aNode(1)], after(20))).toEqual(well);
  });

  it('is no more as it was told while one was silent', () => {
    const told = {
      status: 'HEALTHY',
      reason: { api: 'ok', 'web-node-1.Report': 'Silent' },
    } as const;
    expect(withSilence(told, [aNode(1)], after(20))).toEqual(well);
  });

  it('is unhealthy with a node that is silent, or that fails', () => {
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

describe('by its API, a cluster', () => {
  it('is healthy where all nodes that it is to have are ready', () => {
    const known = new Map([
      ['web-node-1', 'True'],
      ['a-stranger', 'False'],
    ]);
    expect(healthOf(known, ['web-node-1'])).toEqual({
      status: 'HEALTHY',
      reason: { api: 'ok', 'web-node-1.Ready': 'True', 'a-stranger.Ready': 'False' },
    });
  });

  it('is unhealthy where one is not, or is not known', () => {
    const known = new Map([['web-node-1', 'Unknown: Kubelet stopped posting node status.']]);
    const { status, reason } = healthOf(known, ['web-node-1', 'web-node-2']);
    expect(status).toBe('UNHEALTHY');
    expect(reason['web-node-1.Ready']).toContain('Kubelet stopped posting node status.');
    expect(reason).toHaveProperty(['web-node-2.Ready']);
  });
});

describe('of nodes that are gone, those are replaced', () => {
  const [one, two, three] = [aMaster(1), aMaster(2), aMaster(3)];
  const worker = aNode(4);
  const all = [one, two, three, worker];

  it('that are workers', () => {
    expect(replaceable([worker], all)).toEqual([worker]);
  });

  it('that are masters, while a majority has what etcd holds', () => {
    expect(replaceable([one], all)).toEqual([one]);
    expect(replaceable([one, two, worker], all)).toEqual([worker]);
    expect(replaceable([one], [one, worker])).toEqual([]);
  });

  it('that are masters without etcd', () => {
    const fresh = aMaster(5, { hasEtcd: false });
    expect(replaceable([fresh], [one, fresh])).toEqual([fresh]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Taint } from './node-group.resource.js';
import { NodeGroupInvalidInputError } from './node-group.errors.js';
import {
  checkCounts,
  checkNodeLabels,
  checkRole,
  maximumOf,
  taintsOf,
} from './node-group-rules.js';

const counts = (nodeCount: number, minNodeCount: number, maxNodeCount: number | null) => ({
  name: 'gpu',
  nodeCount,
  minNodeCount,
  maxNodeCount,
});

it.each([
  [1, 0, null],
  [0, 0, 0],
  [3, 3, 3],
])('%d nodes are within %d and %s', (count, min, max) => {
  expect(() => checkCounts(counts(count, min, max))).not.toThrow();
});

it.each<[number, number, number | null, string]>([
  [2, 3, 1, 'max_node_count for gpu is invalid (min_node_count (3)'],
  [5, 0, 4, 'max_node_count for gpu is invalid (node_count (5)'],
  [1, 2, null, 'min_node_count for gpu is invalid (min_node_count (2)'],
])('%d nodes are not within %d and %s', (count, min, max, words) => {
  expect(() => checkCounts(counts(count, min, max))).toThrow(NodeGroupInvalidInputError);
  expect(() => checkCounts(counts(count, min, max))).toThrow(words);
});

it('0 means no maximum', () => {
  expect([0, null, 3].map(maximumOf)).toEqual([null, null, 3]);
});

it('masters cannot have labels and taints', () => {
  const nodeTaints = [{ key: 'gpu', value: '', effect: 'NoSchedule' }];
  const check = (role: string, nodeLabels: object | null, taints: typeof nodeTaints | null) => () =>
    checkRole(
      { name: 'x', role },
      { nodeLabels: nodeLabels as Record<string, string>, nodeTaints: taints },
    );
  expect(check('worker', { a: 'b' }, nodeTaints)).not.toThrow();
  expect(check('master', {}, [])).not.toThrow();
  expect(check('master', { a: 'b' }, null)).toThrow(
    'node_labels for x is invalid (node_labels may not be set on master nodegroups).',
  );
  expect(check('master', null, nodeTaints)).toThrow('node_taints may not be set on master');
});

describe('a taint', () => {
  it('may have a value', () => {
    const given = [
      { key: 'example.org/gpu', effect: 'NoSchedule' },
      { key: 'gpu', value: 'a100', effect: 'NoExecute' },
    ];
    expect(taintsOf('gpu', given)).toEqual([
      { key: 'example.org/gpu', value: '', effect: 'NoSchedule' },
      { key: 'gpu', value: 'a100', effect: 'NoExecute' },
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ effect: 'NoSchedule' }, 'node_taints[0].key must be a name'],
    [{ key: 'a/b/c', effect: 'NoSchedule' }, 'key must be a name'],
    [{ key: '-gpu', effect: 'NoSchedule' }, 'key must be a name'],
    [{ key: 'gpu', effect: 'Never' }, 'effect must be one of'],
    [{ key: 'gpu', effect: 'NoSchedule', value: 'a b' }, 'value must be a name'],
    [{ key: 'gpu', effect: 'NoSchedule', value: 3 }, 'value must be a name'],
    [{ key: 'gpu', effect: 'NoSchedule', since: 'now' }, 'since is not a field'],
  ])('%p is none', (taint, words) => {
    expect(() => taintsOf('gpu', [taint as unknown as Taint])).toThrow(words);
  });
});

describe('a label of a node', () => {
  it.each([
    ['gpu', 'a100'],
    ['example.org/gpu', ''],
    ['node.kubernetes.io/pool', 'x'],
    ['topology.kubernetes.io/zone', 'z1'],
  ])('%s=%s is the node’s to have', (key, value) => {
    expect(() => checkNodeLabels('gpu', { [key]: value })).not.toThrow();
  });

  it.each([
    ['kubernetes.io/role', 'x', 'reserved namespace'],
    ['node-role.kubernetes.io/master', '', 'reserved namespace'],
    ['apps.k8s.io/x', 'y', 'reserved namespace'],
    ['a b', 'x', 'is not a valid Kubernetes label'],
    ['gpu', 'x'.repeat(64), 'is not a valid Kubernetes label'],
  ])('%s=%s is refused', (key, value, words) => {
    expect(() => checkNodeLabels('gpu', { [key]: value })).toThrow(words);
  });
});

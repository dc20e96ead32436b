import { expect, it } from '@jest/globals';
import { skewFault, upgradeFault } from './kube-version.js';

it.each<[string | null, string | null]>([
  ['v1.34.4', 'v1.35.4'],
  ['v1.35.4', 'v1.35.4'],
  ['v1.35.4', 'v1.35.10'],
  ['v1.9.0', 'v1.10.0'],
  [null, 'v1.35.4'],
  ['v1.35.4', null],
  ['v0.0.0-simulated', 'v0.1.0'],
])('a cluster goes from %s to %s', (from, to) => {
  expect(upgradeFault(from, to)).toBeUndefined();
});

it.each<[string, string, string]>([
  ['v1.34.4', 'v1.36.1', 'by one minor version at most'],
  ['v1.35.4', 'v2.0.0', 'by one minor version at most'],
  ['v1.35.4', 'v1.34.9', 'does not go back'],
  ['v1.35.4', 'v1.35.3', 'does not go back'],
])('a cluster does not go from %s to %s', (from, to, words) => {
  expect(upgradeFault(from, to)).toContain(words);
});

it('nodes may be older than masters, and never newer', () => {
  expect(skewFault('v1.36.1', 'v1.35.4')).toBe(
    'Nodes of v1.36.1 are newer than masters of v1.35.4, which Kubernetes does not support.',
  );
  expect(skewFault('v1.34.1', 'v1.35.4')).toBeUndefined();
  expect(skewFault('v1.35.9', 'v1.35.4')).toBeUndefined();
  expect(skewFault(null, 'v1.35.4')).toBeUndefined();
});

import { expect, it } from '@jest/globals';
import { aMaster, aNode } from '../rows.fixture.js';
import { resourceNameOf } from '../stack/stack-place.js';
import {
  describeFailures,
  describeNode,
  describeNodes,
  describeParting,
  nodeOf,
} from './describe.js';

const NOW = new Date('2026-01-02T03:05:05Z');

it.each<[object, string]>([
  [{ status: 'SILENT', phase: null, heardAt: null }, 'node web-node-1 has never reported'],
  [
    { status: 'IN_PROGRESS', phase: 'images', message: 'Pulling pause.' },
    'node web-node-1 was at images 60 s ago: Pulling pause.',
  ],
  [{ status: 'IN_PROGRESS', phase: null }, 'node web-node-1 was at boot 60 s ago: nothing more'],
  [
    { status: 'FAILED', phase: 'etcd', message: 'no leader' },
    'node web-node-1 failed at etcd 60 s ago: no leader',
  ],
])('says of a node with %p what it said last', (values, words) => {
  expect(describeNode(aNode(1, values), NOW)).toBe(words);
});

it('names three nodes, and the number of others', () => {
  const silent = { status: 'SILENT', heardAt: null };
  const words = describeNodes(
    [1, 2, 3, 4, 5].map((number) => aNode(number, silent)),
    NOW,
  );
  expect(words).toMatch(/^node web-node-1 .*; node web-node-2 .*; node web-node-3 .*; and 2 more$/);
});

it('says why parting nodes still exist', () => {
  const going = { fate: 'parting' };
  expect(describeParting([aMaster(1, going), aNode(2, going), aNode(3, going)])).toBe(
    'etcd still has web-master-1; pods still move away from web-node-2, web-node-3',
  );
});

it('names the node of a failed resource, and the reason', () => {
  const node = aNode(1);
  const name = resourceNameOf(node);
  const failures = [
    { name: `${name}_server`, type: 'OS::Nova::Server', reason: 'No valid host was found.' },
    { name: `${name}_floating_ip`, type: 'OS::Neutron::FloatingIP', reason: 'none left' },
    { name: 'router', type: 'OS::Neutron::Router', reason: 'quota' },
  ];
  expect(describeFailures('failed', failures, [node])).toBe(
    'server of node web-node-1: No valid host was found.; ' +
      'floating ip of node web-node-1: none left; router: quota',
  );
  expect(describeFailures('Stack CREATE failed', [], [node])).toBe('Stack CREATE failed');
});

it('finds the node of a resource by its whole ID', () => {
  const nodes = [aNode(1), aNode(10)];
  const [, ten] = nodes;
  const failure = { name: `${resourceNameOf(aNode(10))}_port`, type: 'x', reason: 'y' };
  expect(nodeOf(failure, nodes)).toBe(ten);
  expect(nodeOf({ ...failure, name: 'subnet' }, nodes)).toBeUndefined();
});

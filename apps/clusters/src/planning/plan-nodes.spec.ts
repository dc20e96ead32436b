import { describe, expect, it } from '@jest/globals';
import { aGroup, aMaster, aNode, masters } from '../rows.fixture.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import type { Node } from '../nodes/node.entity.js';
import { isNothing, planNodes } from './plan-nodes.js';

/** Names instead of rows, for readable failures. */
function plan(groups: NodeGroup[], nodes: Node[], batch = 1): object {
  const { create, retire, go } = planNodes(groups, nodes, { batch });
  return {
    create: create.map(({ name }) => name),
    retire: retire.map(({ name }) => name),
    go: go.map(({ name }) => name),
  };
}

const NOTHING = { create: [], retire: [], go: [] };
const OLD = { imageRef: 'image-0' };

it('creates all missing masters and workers at once', () => {
  const groups = [masters({ nodeCount: 3 }), aGroup({ nodeCount: 2 })];
  expect(plan(groups, [aMaster(1)])).toEqual({
    ...NOTHING,
    create: ['default-master', 'default-master', 'default-worker', 'default-worker'],
  });
});

it('does nothing if everything is in place', () => {
  const nodes = [aMaster(1), aNode(2)];
  expect(isNothing(planNodes([masters(), aGroup()], nodes, { batch: 1 }))).toBe(true);
});

it('creates no replacement for a node being created', () => {
  expect(plan([aGroup()], [aNode(1, { status: 'SILENT', phase: null })])).toEqual(NOTHING);
});

describe('in a shrinking group', () => {
  const group = aGroup({ nodeCount: 1 });

  it('the newest go', () => {
    const nodes = [aNode(1), aNode(2), aNode(3)];
    expect(plan([group], nodes)).toEqual({ ...NOTHING, go: ['web-node-3', 'web-node-2'] });
  });

  it('failed nodes go first, and outdated ones before others', () => {
    const nodes = [aNode(1, { status: 'FAILED' }), aNode(2, OLD), aNode(3)];
    expect(plan([group], nodes)).toEqual({ ...NOTHING, go: ['web-node-1', 'web-node-2'] });
  });

  it('only the nodes named by a client go', () => {
    const nodes = [aNode(1, { fate: 'retiring' }), aNode(2)];
    expect(plan([group], nodes)).toEqual({ ...NOTHING, go: ['web-node-1'] });
  });
});

it('a group being deleted loses all nodes, including those being replaced', () => {
  const nodes = [aNode(1), aNode(2, { fate: 'retiring' }), aNode(3, { fate: 'leaving' })];
  expect(plan([aGroup({ isLeaving: true, nodeCount: 5 })], nodes)).toEqual({
    ...NOTHING,
    go: ['web-node-1', 'web-node-2'],
  });
});

describe('of outdated nodes', () => {
  it.each([
    [1, ['web-node-1']],
    [2, ['web-node-1', 'web-node-2']],
  ])('%d at a time are replaced', (batch, retire) => {
    const nodes = [aNode(1, OLD), aNode(2, OLD), aNode(3, OLD)];
    expect(plan([aGroup({ nodeCount: 3 })], nodes, batch)).toEqual({ ...NOTHING, retire });
  });

  it('another flavor makes a node outdated, too', () => {
    const nodes = [aNode(1, { flavorId: 'm1.tiny' })];
    expect(plan([aGroup()], nodes)).toMatchObject({ retire: ['web-node-1'] });
  });

  it('the replacement is created before the node goes', () => {
    const retiring = aNode(1, { ...OLD, fate: 'retiring' });
    expect(plan([aGroup()], [retiring])).toEqual({ ...NOTHING, create: ['default-worker'] });
    const making = aNode(2, { status: 'IN_PROGRESS', phase: 'images' });
    expect(plan([aGroup()], [retiring, making])).toEqual(NOTHING);
    expect(plan([aGroup()], [retiring, aNode(2)])).toEqual({ ...NOTHING, go: ['web-node-1'] });
  });

  it('none is replaced while another of its group is not ready', () => {
    const nodes = [aNode(1, OLD), aNode(2, { status: 'IN_PROGRESS' })];
    expect(plan([aGroup({ nodeCount: 2 })], nodes)).toEqual(NOTHING);
  });

  it('none is replaced while the previous one is draining', () => {
    const going = aNode(1, { ...OLD, fate: 'parting' });
    const nodes = [going, aNode(2), aNode(3, OLD)];
    expect(plan([aGroup({ nodeCount: 2 })], nodes)).toEqual(NOTHING);
    expect(plan([aGroup({ nodeCount: 2 })], nodes.slice(1))).toMatchObject({
      retire: ['web-node-3'],
    });
  });

  it('masters are replaced before workers', () => {
    const groups = [masters(), aGroup()];
    const workers = [aNode(9, OLD)];
    expect(plan(groups, [aMaster(1, OLD), ...workers])).toMatchObject({ retire: ['web-master-1'] });
    const going = aMaster(1, { ...OLD, fate: 'parting' });
    expect(plan(groups, [going, aMaster(2), ...workers])).toEqual(NOTHING);
    expect(plan(groups, [aMaster(2), ...workers])).toMatchObject({ retire: ['web-node-9'] });
  });

  it('workers are created and removed while masters are replaced', () => {
    const groups = [masters(), aGroup({ nodeCount: 2 })];
    expect(plan(groups, [aMaster(1, OLD), aNode(2)])).toEqual({
      ...NOTHING,
      retire: ['web-master-1'],
      create: ['default-worker'],
    });
  });
});

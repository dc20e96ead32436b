import { describe, expect, it } from '@jest/globals';
import { aGroup, aMaster, aNode, masters } from '../rows.fixture.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import type { Node } from '../nodes/node.entity.js';
import { isNothing, planNodes } from './plan-nodes.js';

/** By names, so that a failure can be read. */
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

it('makes all that is missing at once, of masters and of workers', () => {
  const groups = [masters({ nodeCount: 3 }), aGroup({ nodeCount: 2 })];
  expect(plan(groups, [aMaster(1)])).toEqual({
    ...NOTHING,
    create: ['default-master', 'default-master', 'default-worker', 'default-worker'],
  });
});

it('has nothing to do where all is as it is to be', () => {
  const nodes = [aMaster(1), aNode(2)];
  expect(isNothing(planNodes([masters(), aGroup()], nodes, { batch: 1 }))).toBe(true);
});

it('makes none in the place of one that is on its way', () => {
  expect(plan([aGroup()], [aNode(1, { status: 'SILENT', phase: null })])).toEqual(NOTHING);
});

describe('of a group that gets smaller', () => {
  const group = aGroup({ nodeCount: 1 });

  it('the newest go', () => {
    const nodes = [aNode(1), aNode(2), aNode(3)];
    expect(plan([group], nodes)).toEqual({ ...NOTHING, go: ['web-node-3', 'web-node-2'] });
  });

  it('what has failed goes first, and what is outdated before the rest', () => {
    const nodes = [aNode(1, { status: 'FAILED' }), aNode(2, OLD), aNode(3)];
    expect(plan([group], nodes)).toEqual({ ...NOTHING, go: ['web-node-1', 'web-node-2'] });
  });

  it('those that a client has named go, and no others', () => {
    const nodes = [aNode(1, { fate: 'retiring' }), aNode(2)];
    expect(plan([group], nodes)).toEqual({ ...NOTHING, go: ['web-node-1'] });
  });
});

it('a group that goes loses all its nodes, those that are being replaced too', () => {
  const nodes = [aNode(1), aNode(2, { fate: 'retiring' }), aNode(3, { fate: 'leaving' })];
  expect(plan([aGroup({ isLeaving: true, nodeCount: 5 })], nodes)).toEqual({
    ...NOTHING,
    go: ['web-node-1', 'web-node-2'],
  });
});

describe('of nodes that are to be others', () => {
  it.each([
    [1, ['web-node-1']],
    [2, ['web-node-1', 'web-node-2']],
  ])('%d at a time are replaced', (batch, retire) => {
    const nodes = [aNode(1, OLD), aNode(2, OLD), aNode(3, OLD)];
    expect(plan([aGroup({ nodeCount: 3 })], nodes, batch)).toEqual({ ...NOTHING, retire });
  });

  it('another flavor makes a node another one, too', () => {
    const nodes = [aNode(1, { flavorId: 'm1.tiny' })];
    expect(plan([aGroup()], nodes)).toMatchObject({ retire: ['web-node-1'] });
  });

  it('the one in its place is made before it goes', () => {
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

  it('none is replaced while the pods of the one before still move', () => {
    const going = aNode(1, { ...OLD, fate: 'parting' });
    const nodes = [going, aNode(2), aNode(3, OLD)];
    expect(plan([aGroup({ nodeCount: 2 })], nodes)).toEqual(NOTHING);
    expect(plan([aGroup({ nodeCount: 2 })], nodes.slice(1))).toMatchObject({
      retire: ['web-node-3'],
    });
  });

  it('masters come before workers', () => {
    const groups = [masters(), aGroup()];
    const workers = [aNode(9, OLD)];
    expect(plan(groups, [aMaster(1, OLD), ...workers])).toMatchObject({ retire: ['web-master-1'] });
    const going = aMaster(1, { ...OLD, fate: 'parting' });
    expect(plan(groups, [going, aMaster(2), ...workers])).toEqual(NOTHING);
    expect(plan(groups, [aMaster(2), ...workers])).toMatchObject({ retire: ['web-node-9'] });
  });

  it('workers are made, and go, while masters are replaced', () => {
    const groups = [masters(), aGroup({ nodeCount: 2 })];
    expect(plan(groups, [aMaster(1, OLD), aNode(2)])).toEqual({
      ...NOTHING,
      retire: ['web-master-1'],
      create: ['default-worker'],
    });
  });
});

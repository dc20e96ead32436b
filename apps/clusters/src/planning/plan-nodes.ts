/**
 * Plans which nodes are created and removed, from node groups and nodes. Pure.
 *
 * Always holds: a node being replaced goes only once all others of its group are ready; masters are
 * replaced before workers, and no more of a group at a time than the batch size.
 */
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import type { Node } from '../nodes/node.entity.js';

export interface NodePlan {
  /** A group for each missing node. */
  readonly create: readonly NodeGroup[];
  /** Nodes to be replaced. */
  readonly retire: readonly Node[];
  /** Nodes to be removed; members of etcd leave that first. */
  readonly go: readonly Node[];
}

/** Masters are replaced singly: losing two could cost etcd's majority. */
const ONE = 1;

const NOTHING: NodePlan = { create: [], retire: [], go: [] };

export interface PlanOptions {
  /** Workers of a group replaced at a time. */
  readonly batch: number;
}

export function planNodes(
  groups: readonly NodeGroup[],
  nodes: readonly Node[],
  { batch }: PlanOptions,
): NodePlan {
  const masters = groups.filter(({ role }) => role === 'master');
  const ofMasters = masters.map((group) => planGroup(group, nodes, ONE));
  const areMastersDone = ofMasters.every(isNothing) && !nodes.some(isGoingMaster);
  const ofWorkers = groups
    .filter(({ role }) => role !== 'master')
    .map((group) => planGroup(group, nodes, areMastersDone ? batch : 0));
  return [...ofMasters, ...ofWorkers].reduce(joined, NOTHING);
}

/** @param batch 0 to begin no replacement */
function planGroup(group: NodeGroup, all: readonly Node[], batch: number): NodePlan {
  const own = all.filter(({ nodeGroupId }) => nodeGroupId === group.id);
  const present = own.filter(({ fate }) => fate === 'wanted' || fate === 'retiring');
  if (group.isLeaving) return { ...NOTHING, go: present };
  const wanted = own.filter(({ fate }) => fate === 'wanted');
  const retiring = own.filter(({ fate }) => fate === 'retiring');
  const missing = group.nodeCount - wanted.length;
  if (missing > 0) return { ...NOTHING, create: Array<NodeGroup>(missing).fill(group) };
  const surplus = missing < 0 ? expendable(wanted, group).slice(0, -missing) : [];
  const staying = wanted.filter((node) => !surplus.includes(node));
  const areReady = staying.every(({ status }) => status === 'READY');
  if (surplus.length > 0 || (areReady && retiring.length > 0))
    return { ...NOTHING, go: [...surplus, ...(areReady ? retiring : [])] };
  const outdated = staying.filter((node) => isOutdated(node, group));
  const areGoing = own.some(({ fate }) => fate === 'retiring' || fate === 'parting');
  if (!areReady || areGoing || outdated.length === 0) return NOTHING;
  return { ...NOTHING, retire: outdated.slice(0, batch) };
}

/** Whether the group would create it differently now. */
export function isOutdated(
  { imageRef, flavorId }: Pick<Node, 'imageRef' | 'flavorId'>,
  group: Pick<NodeGroup, 'imageRef' | 'flavorId'>,
): boolean {
  return imageRef !== group.imageRef || flavorId !== group.flavorId;
}

/** The most expendable first: failed ones, then outdated ones, then the newest. */
function expendable(nodes: readonly Node[], group: NodeGroup): Node[] {
  const worth = (node: Node): number =>
    (node.status === 'READY' ? 2 : 0) + (isOutdated(node, group) ? 0 : 1);
  return [...nodes].sort(
    (a, b) => worth(a) - worth(b) || b.createdAt.getTime() - a.createdAt.getTime(),
  );
}

function isGoingMaster({ role, fate }: Node): boolean {
  return role === 'master' && fate !== 'wanted';
}

function joined(one: NodePlan, other: NodePlan): NodePlan {
  return {
    create: [...one.create, ...other.create],
    retire: [...one.retire, ...other.retire],
    go: [...one.go, ...other.go],
  };
}

export function isNothing({ create, retire, go }: NodePlan): boolean {
  return create.length + retire.length + go.length === 0;
}

/** Explains what a cluster waits for, naming nodes. Pure. */
import type { FailedResource } from '../engine/cluster-engine.js';
import type { Node } from '../nodes/node.entity.js';
import { resourceNameOf } from '../stack/stack-place.js';

/** The maximum number of names in a sentence. */
const NAMED = 3;

/** `node web-node-1 has never reported`, `node web-node-2 failed at kubelet 5 s ago: …`. */
export function describeNode({ name, status, phase, message, heardAt }: Node, now: Date): string {
  if (status === 'SILENT' || heardAt === null) return `node ${name} has never reported`;
  const seconds = Math.max(0, Math.round((now.getTime() - heardAt.getTime()) / 1_000));
  const words = message === null || message === '' ? 'nothing more' : message;
  if (status === 'READY')
    return `node ${name} has not taken its new certificates; it last reported ${seconds} s ago`;
  const verb = status === 'FAILED' ? 'failed' : 'was';
  return `node ${name} ${verb} at ${phase ?? 'boot'} ${seconds} s ago: ${words}`;
}

export function describeNodes(nodes: readonly Node[], now = new Date()): string {
  const named = nodes.slice(0, NAMED).map((node) => describeNode(node, now));
  const more = nodes.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** For parting nodes: `pods still move away from web-node-1`, `etcd still has web-master-2`. */
export function describeParting(parting: readonly Node[]): string {
  const named = (nodes: readonly Node[]): string => nodes.map(({ name }) => name).join(', ');
  const members = parting.filter(({ hasEtcd }) => hasEtcd);
  const draining = parting.filter(({ hasEtcd }) => !hasEtcd);
  const words = [
    ...(members.length > 0 ? [`etcd still has ${named(members)}`] : []),
    ...(draining.length > 0 ? [`pods still move away from ${named(draining)}`] : []),
  ];
  return words.join('; ');
}

/** Replaces resource names by node names. */
export function describeFailures(
  reason: string,
  failures: readonly FailedResource[],
  nodes: readonly Node[],
): string {
  const named = failures.slice(0, NAMED).map((failure) => {
    const node = nodeOf(failure, nodes);
    return `${node ? `${partOf(failure)} of node ${node.name}` : failure.name}: ${failure.reason}`;
  });
  return named.length === 0 ? reason : named.join('; ');
}

/** The node that a stack resource belongs to. */
export function nodeOf({ name }: FailedResource, nodes: readonly Node[]): Node | undefined {
  return nodes.find((node) => name.startsWith(resourceNameOf(node)));
}

function partOf({ name }: FailedResource): string {
  const [, , ...part] = name.split('_');
  return part.join(' ') || 'server';
}

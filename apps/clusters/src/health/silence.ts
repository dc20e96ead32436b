/** Nodes that have stopped reporting. Pure. */
import type { Health } from '../engine/cluster-engine.js';
import type { Node } from '../nodes/node.entity.js';
import { excerpt } from '../engine/kubernetes/excerpt.js';

const MISSED = 3;

export interface SilenceOptions {
  readonly now: Date;
  readonly reportSeconds: number;
}

/** Nodes that were ready once and have been silent since. */
export function silentNodes(
  nodes: readonly Node[],
  { now, reportSeconds }: SilenceOptions,
): readonly Node[] {
  const latest = now.getTime() - MISSED * reportSeconds * 1_000;
  return nodes.filter(
    ({ fate, heardAt, status, phase }) =>
      fate === 'wanted' &&
      (status === 'READY' || phase === 'ready') &&
      heardAt !== null &&
      heardAt.getTime() < latest,
  );
}

/**
 * Adds silent and failing nodes. Health reported by a client may contain outdated entries about
 * nodes, which are replaced.
 */
export function withSilence(
  health: Health,
  nodes: readonly Node[],
  options: SilenceOptions,
): Health {
  const silent = silentNodes(nodes, options).map(
    ({ name, heardAt }) =>
      [reportOf(name), `Silent since ${heardAt?.toISOString() ?? ''}`] as const,
  );
  const failing = nodes
    .filter(({ fate, status }) => fate === 'wanted' && status === 'FAILED')
    .map(({ name, message }) => [reportOf(name), excerpt(message ?? 'Failed')] as const);
  const words = [...silent, ...failing];
  const stale = new Set(nodes.map(({ name }) => reportOf(name)));
  const others = Object.entries(health.reason).filter(([key]) => !stale.has(key));
  return {
    status: words.length > 0 ? 'UNHEALTHY' : health.status,
    reason: Object.fromEntries([...others, ...words]),
  };
}

function reportOf(name: string): string {
  return `${name}.Report`;
}

/** What follows from that a node says nothing any more. Pure. */
import type { Health } from '../engine/cluster-engine.js';
import type { Node } from '../nodes/node.entity.js';
import { shortWords } from './short-words.js';

/** Reports that a node may miss. */
const MISSED = 3;

export interface SilenceOptions {
  readonly now: Date;
  readonly reportSeconds: number;
}

/** Nodes that were ready, also if something of them failed later, and have been silent since. */
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

/** With those that are silent, and those that say that something fails. */
export function withSilence(
  health: Health,
  nodes: readonly Node[],
  options: SilenceOptions,
): Health {
  const silent = silentNodes(nodes, options).map(({ name, heardAt }) => [
    `${name}.Report`,
    `Silent since ${heardAt?.toISOString() ?? ''}`,
  ]);
  const failing = nodes
    .filter(({ fate, status }) => fate === 'wanted' && status === 'FAILED')
    .map(({ name, message }) => [`${name}.Report`, shortWords(message ?? 'Failed')]);
  const words = [...silent, ...failing];
  if (words.length === 0) return health;
  return {
    status: 'UNHEALTHY',
    reason: { ...health.reason, ...(Object.fromEntries(words) as Record<string, string>) },
  };
}

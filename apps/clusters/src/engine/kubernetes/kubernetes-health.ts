/**
 * The health of a cluster by `/readyz` and the conditions of its nodes. Public sources: Kubernetes,
 * "Kubernetes API health endpoints" and "Node Status"; magnum, `drivers/common/k8s_monitor.py`.
 */
import type { ApiAccess, Health } from '../cluster-engine.js';
import type { Node } from '../../nodes/node.entity.js';
import { KubernetesApi, type Answer } from './kubernetes-api.js';
import { readinessBy, type Readiness } from './node-readiness.js';
import { excerpt } from './excerpt.js';

/** For all requests to one cluster. */
const LOOK_MS = 10_000;

/**
 * @returns UNKNOWN, with a reason, if the API cannot be reached
 * @throws the reason of `access.signal` once that is aborted
 */
export async function kubernetesHealth(
  access: ApiAccess,
  nodes: readonly Node[],
  lookMs = LOOK_MS,
): Promise<Health> {
  const deadline = AbortSignal.timeout(lookMs);
  const api = new KubernetesApi(access, AbortSignal.any([access.signal, deadline]));
  try {
    const ready = await api.get('/readyz');
    if (ready.status !== 200) return { status: 'UNHEALTHY', reason: { api: firstFault(ready) } };
    const expected = namesOf(nodes);
    const known = await readinessBy(api, expected);
    if (typeof known === 'string') return { status: 'UNHEALTHY', reason: { api: known } };
    return healthOf(known, expected);
  } catch (error) {
    access.signal.throwIfAborted();
    const why = deadline.aborted ? `no answer within ${lookMs / 1_000} s` : wordsOf(error);
    return { status: 'UNKNOWN', reason: { api: `The API could not be reached: ${why}.` } };
  } finally {
    await api.close();
  }
}

/** The nodes that the cluster should have. */
function namesOf(nodes: readonly Node[]): readonly string[] {
  return nodes.filter(({ fate }) => fate === 'wanted').map(({ name }) => name);
}

/** Pure. @param expected names of the nodes that the cluster should have */
export function healthOf(known: Readiness, expected: readonly string[]): Health {
  const names = [...new Set([...expected, ...known.keys()])];
  const words = names.map(
    (name) => [name, known.get(name) ?? 'False: Kubernetes does not know it'] as const,
  );
  const isWell = words.every(([name, word]) => word === 'True' || !expected.includes(name));
  return {
    status: isWell ? 'HEALTHY' : 'UNHEALTHY',
    reason: {
      api: 'ok',
      ...Object.fromEntries(words.map(([name, word]) => [`${name}.Ready`, word])),
    },
  };
}

/** Finds `[-]etcd failed: reason withheld` among the lines of /readyz. */
function firstFault({ status, text }: Answer): string {
  const fault = /^\[-\].{1,300}/m.exec(text)?.[0];
  return fault === undefined ? `/readyz answers ${status}` : excerpt(fault.slice(3));
}

function wordsOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return excerpt([code, message].filter(Boolean).join(', ')) || 'no reason is known';
}

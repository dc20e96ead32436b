/**
 * How a cluster is, by its API: `/readyz`, and the conditions of its nodes. Public sources: Kubernetes,
 * "Kubernetes API health endpoints" and "Node Status"; magnum, `drivers/common/k8s_monitor.py`.
 */
import { Agent, request } from 'undici';
import type { ApiAccess, Health } from '../engine/cluster-engine.js';
import type { Node } from '../nodes/node.entity.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

interface KubernetesNode {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

/** @returns UNKNOWN where the API cannot be reached from here, with why */
export async function kubernetesHealth(access: ApiAccess, nodes: readonly Node[]): Promise<Health> {
  const agent = new Agent({
    connect: {
      ca: access.caPem,
      cert: access.client.certificatePem,
      key: access.client.privateKeyPem,
      timeout: TIMEOUT_MS,
    },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_BYTES,
  });
  try {
    const ready = await get(agent, `${access.server}/readyz`);
    if (ready.status !== 200) return { status: 'UNHEALTHY', reason: { api: firstFault(ready) } };
    const listed = await get(agent, `${access.server}/api/v1/nodes`);
    const { items = [] } = JSON.parse(listed.text) as { items?: readonly KubernetesNode[] };
    return healthOf(items, nodes);
  } catch (error) {
    return {
      status: 'UNKNOWN',
      reason: { api: `The API could not be reached: ${wordsOf(error)}.` },
    };
  } finally {
    await agent.destroy();
  }
}

/** @param nodes those that the cluster is to have. Pure. */
export function healthOf(items: readonly KubernetesNode[], nodes: readonly Node[]): Health {
  const known = new Map(items.map((item) => [item.metadata.name, item]));
  const expected = nodes.filter(({ fate }) => fate === 'wanted').map(({ name }) => name);
  const names = [...new Set([...expected, ...known.keys()])];
  const words = names.map((name) => [name, readinessOf(known.get(name))] as const);
  const isWell = words.every(([name, word]) => word === 'True' || !expected.includes(name));
  return {
    status: isWell ? 'HEALTHY' : 'UNHEALTHY',
    reason: {
      api: 'ok',
      ...Object.fromEntries(words.map(([name, word]) => [`${name}.Ready`, word])),
    },
  };
}

function readinessOf(node: KubernetesNode | undefined): string {
  if (!node) return 'False: Kubernetes does not know it';
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return 'True';
  return `${ready?.status ?? 'Unknown'}${ready?.message ? `: ${ready.message}` : ''}`;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function get(dispatcher: Agent, url: string): Promise<Answer> {
  const { statusCode, body } = await request(url, { dispatcher });
  return { status: statusCode, text: await body.text() };
}

/** `[-]etcd failed: reason withheld` of the lines of /readyz. */
function firstFault({ status, text }: Answer): string {
  const fault = text.split('\n').find((line) => line.startsWith('[-]'));
  return fault === undefined ? `/readyz answers ${status}` : fault.slice(3, 300);
}

function wordsOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return [code, message].filter(Boolean).join(', ') || 'no reason is known';
}

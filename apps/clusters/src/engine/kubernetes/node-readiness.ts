/**
 * The readiness of nodes, according to Kubernetes. Public sources: Kubernetes, "Node Status" and
 * "Retrieving large results sets in chunks".
 */
import type { KubernetesApi } from './kubernetes-api.js';
import { excerpt } from './excerpt.js';

/** A node is about 20 KB, mostly its list of images, so a page stays far below the limit. */
const PAGE = 20;
/** Enough for the largest cluster. */
const MAX_PAGES = 100;
/** Characters of a name in Kubernetes. */
const NAME_LENGTH = 253;
/** Characters of a continue token; those of Kubernetes have a few hundred. */
const MAX_TOKEN = 4_096;
/** Unexpected nodes do not affect health, so only some are shown. */
const MAX_STRANGERS = 20;

/** By node name: `True`, or the problem. */
export type Readiness = ReadonlyMap<string, string>;

interface KubernetesNode {
  readonly metadata: { readonly name: unknown };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: unknown;
      readonly message?: unknown;
    }[];
  };
}

interface NodesPage {
  readonly readiness: Readiness;
  /** The continue token; empty on the last page. */
  readonly next: string;
}

/**
 * @param expected names of the nodes that the cluster should have
 * @returns a message if the API does not answer properly
 */
export async function readinessBy(
  api: KubernetesApi,
  expected: readonly string[],
): Promise<Readiness | string> {
  const known = new Map<string, string>();
  let strangers = 0;
  let next = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(next ? { continue: next } : {}) });
    const { status, text } = await api.get(`/api/v1/nodes?${query.toString()}`);
    if (status !== 200) return `/api/v1/nodes answers ${status}`;
    const found = pageOf(text);
    if (!found) return '/api/v1/nodes did not answer with a list of nodes';
    for (const [name, word] of found.readiness) {
      if (expected.includes(name)) known.set(name, word);
      else if (++strangers <= MAX_STRANGERS) known.set(excerpt(name, NAME_LENGTH), word);
    }
    next = found.next;
    if (next === '') return known;
  }
  return `/api/v1/nodes has more than ${MAX_PAGES * PAGE} nodes`;
}

/** Pure. @returns undefined for an invalid page */
export function pageOf(text: string): NodesPage | undefined {
  try {
    const { items, metadata } = JSON.parse(text) as {
      readonly items: readonly KubernetesNode[];
      readonly metadata?: { readonly continue?: string };
    };
    const readiness = new Map(items.map((node) => [nameOf(node), wordOf(node)]));
    const next = metadata?.continue ?? '';
    return next.length <= MAX_TOKEN ? { readiness, next } : undefined;
  } catch {
    return undefined;
  }
}

function nameOf({ metadata: { name } }: KubernetesNode): string {
  if (typeof name === 'string') return name;
  throw new TypeError('a node without a name');
}

function wordOf({ status }: KubernetesNode): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return 'True';
  const word = ready?.status === 'False' ? 'False' : 'Unknown';
  const message = typeof ready?.message === 'string' ? excerpt(ready.message) : '';
  return message === '' ? word : `${word}: ${message}`;
}

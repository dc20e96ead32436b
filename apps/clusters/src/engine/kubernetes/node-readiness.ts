/**
 * What Kubernetes says of its nodes: whether each is ready. Public sources: Kubernetes, "Node Status"
 * and "Retrieving large results sets in chunks".
 */
import type { KubernetesApi } from './kubernetes-api.js';
import { shortWords } from './short-words.js';

/** A node weighs some 20 KB, most of it the images that it has: a page stays far below the limit. */
const PAGE = 20;
/** More than any cluster of this service has nodes. */
const MAX_PAGES = 100;
/** Of a name in Kubernetes. */
const NAME_LENGTH = 253;
/** Characters of what the next page is asked for with: those of Kubernetes are some hundred. */
const MAX_TOKEN = 4_096;
/** Nodes which the cluster is not to have, of which nothing depends: some are told. */
const MAX_STRANGERS = 20;

/** By the names of nodes: `True`, or what is the matter. */
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
  /** With which the next page is asked for; empty on the last one. */
  readonly next: string;
}

/**
 * @param expected the names of those that the cluster is to have
 * @returns a few words where the API does not tell
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
    if (!found) return '/api/v1/nodes answers what is no list of nodes';
    for (const [name, word] of found.readiness) {
      if (expected.includes(name)) known.set(name, word);
      else if (++strangers <= MAX_STRANGERS) known.set(shortWords(name, NAME_LENGTH), word);
    }
    next = found.next;
    if (next === '') return known;
  }
  return `/api/v1/nodes has more than ${MAX_PAGES * PAGE} nodes`;
}

/** @returns undefined where it is none. Pure. */
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
  const message = typeof ready?.message === 'string' ? shortWords(ready.message) : '';
  return message === '' ? word : `${word}: ${message}`;
}

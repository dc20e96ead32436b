/** One client that creates, uses and deletes, and remembers what it was told. */
import { content, KINDS, type Facts, type Kind } from './kinds.js';
import type { CloudClient } from './cloud-client.js';

/** At most so many of a kind by one client, so that lists stay on one page. */
const MAX_OF_KIND = 12;

export interface Known {
  /** By id: those that must be there. */
  readonly there: Map<string, Kind>;
  /** Ids of which a delete was confirmed: they must go. */
  readonly gone: Set<string>;
  /** Ids of which it is unknown whether a delete came through. */
  readonly leaving: Set<string>;
  /** Names of creates without an answer: one may be there, but not two. */
  readonly unanswered: Set<string>;
}

export function nothingKnown(): Known {
  return { there: new Map(), gone: new Set(), leaving: new Set(), unanswered: new Set() };
}

let named = 0;

/**
 * One operation, chosen at random.
 * @returns whether it was answered
 */
export async function operate(
  client: CloudClient,
  known: Known,
  facts: Facts,
  kinds: readonly Kind[] = KINDS,
): Promise<boolean> {
  const kind = kinds[Math.floor(Math.random() * kinds.length)] as Kind;
  const own = [...known.there].filter(([, one]) => one === kind).map(([id]) => id);
  const id = own[Math.floor(Math.random() * own.length)];
  const chance = Math.random();
  if (id === undefined || (chance < 0.4 && own.length < MAX_OF_KIND))
    return create(client, known, kind, facts);
  if (chance < 0.7 && kind.use) return (await kind.use(client, id)).status !== 0;
  return remove(client, known, kind, id);
}

async function create(
  client: CloudClient,
  known: Known,
  kind: Kind,
  facts: Facts,
): Promise<boolean> {
  const name = `chaos-${(named += 1)}`;
  const { status, body } = await client.send(
    'POST',
    kind.path,
    content(kind, kind.body(name, facts)),
  );
  if (status >= 200 && status < 300) {
    const fields = (kind.one === null ? body : (body as Record<string, unknown>)[kind.one]) as {
      id: string;
    };
    known.there.set(fields.id, kind);
  } else if (status === 0 || status >= 500) known.unanswered.add(name);
  else throw new Error(`POST ${kind.path}: ${status} ${JSON.stringify(body)}`);
  return status !== 0;
}

export async function remove(
  client: CloudClient,
  known: Known,
  kind: Kind,
  id: string,
): Promise<boolean> {
  const { status, body } = await client.send('DELETE', `${kind.path}/${id}`, content(kind));
  if (status === 409) return true;
  known.there.delete(id);
  if (status === 204) known.gone.add(id);
  else if (status === 0 || status >= 500) known.leaving.add(id);
  else throw new Error(`DELETE ${kind.path}/${id}: ${status} ${JSON.stringify(body)}`);
  return status !== 0;
}

import type { Actor } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';

/** A resource of the network service, found by its name. */
export interface Wanted {
  /** As in the path: `networks`. */
  readonly collection: string;
  readonly singular: string;
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Creates it unless one of its name exists. @returns its id */
export async function ensured(
  network: ServiceClient,
  actor: Actor,
  { collection, singular, name, json }: Wanted,
): Promise<string> {
  const path = `/v2.0/${collection}`;
  const { body: listed } = await network.send({ path, query: { name, fields: 'id' }, actor });
  const [known] = (listed as Record<string, readonly { id: string }[]>)[collection] ?? [];
  if (known) return known.id;
  const { body } = await network.create({ path, actor, json: { [singular]: { name, ...json } } });
  return (body as Record<string, { id: string }>)[singular]?.id ?? '';
}

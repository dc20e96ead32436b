/**
 * Which availability zone hosts are in: that of their aggregates, or the default one. A host is in
 * one zone at a time, and stays there while it has servers. Public source: Nova admin guide,
 * "Availability Zones".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidAggregateActionError, type AggregateAction } from './aggregate.errors.js';

interface Change {
  readonly host: string;
  readonly before: string | null;
  /** What its aggregates say: one, none, or too many. */
  readonly zones: readonly string[];
  readonly servers: number;
}

/** Placements wait until the transaction ends. */
export async function lockHosts(tx: RequestContext): Promise<void> {
  await tx.manager.query('SELECT FROM hosts ORDER BY name FOR UPDATE');
}

/**
 * Gives hosts their zones after an aggregate has changed, in its transaction.
 * @throws InvalidAggregateActionError for a second zone, or a host that would take servers with it
 */
export async function applyZones(
  tx: RequestContext,
  action: AggregateAction,
  id: number,
): Promise<void> {
  const changes: Change[] = await tx.manager.query(
    `SELECT host, before, zones,
            (SELECT count(*)::int FROM servers WHERE servers.host = said.host) AS servers
       FROM (SELECT hosts.name AS host, hosts.zone AS before,
                    array_remove(array_agg(DISTINCT aggregates.zone), NULL) AS zones
               FROM hosts LEFT JOIN aggregate_hosts ON aggregate_hosts.host = hosts.name
                    LEFT JOIN aggregates ON aggregates.id = aggregate_id
              GROUP BY hosts.name, hosts.zone) AS said
      WHERE zones[1] IS DISTINCT FROM before OR cardinality(zones) > 1
      ORDER BY host`,
  );
  for (const change of changes) {
    const reason = objectionTo(action, change);
    if (reason !== undefined) throw new InvalidAggregateActionError(action, id, reason);
  }
  await tx.manager.query(
    `UPDATE hosts SET zone = changed.zone
       FROM unnest($1::text[], $2::text[]) AS changed (name, zone) WHERE hosts.name = changed.name`,
    [changes.map(({ host }) => host), changes.map(({ zones }) => zones[0] ?? null)],
  );
}

function objectionTo(
  action: AggregateAction,
  { before, zones, servers }: Change,
): string | undefined {
  const [zone = null, ...more] = zones;
  if (more.length > 0) {
    const others = zones.filter((one) => one === before);
    return `One or more hosts already in availability zone(s) ${quoted(others.length > 0 ? others : zones)}`;
  }
  if (servers === 0) return undefined;
  const move = MOVES[action];
  if (move === undefined) return 'One or more hosts contain instances in this zone';
  return (
    `The host cannot be ${move} the aggregate as the availability zone of the host would change ` +
    `from '${before ?? 'None'}' to '${zone ?? 'None'}' but the host already has ${servers} instance(s). ` +
    'Changing the AZ of an existing instance is not supported by this action. Move the instances ' +
    'away from this host then try again. If you need to move the instances between AZs then you ' +
    'can use shelve_offload and unshelve to achieve this.'
  );
}

const MOVES: Readonly<Partial<Record<AggregateAction, string>>> = {
  add: 'added to',
  remove: 'removed from',
};

function quoted(zones: readonly string[]): string {
  return `[${zones.map((zone) => `'${zone}'`).join(', ')}]`;
}

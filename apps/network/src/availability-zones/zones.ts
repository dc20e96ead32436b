import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { notFound } from '@cumulet/common/errors/domain-error';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { listOf, setOf, text } from '@cumulet/common/resources/value-type';
import { aliveIf } from '../agents/agent.resource.js';
import { neither, NO_TEXTS } from '../resource/resource.js';

export interface AvailabilityZone {
  readonly name: string;
  /** The kind of resource that may request the zone. */
  readonly resource: 'network' | 'router';
  /** Whether any host in the zone is alive. */
  readonly state: 'available' | 'unavailable';
}

const RESOURCES = ['network', 'router'] as const;

export class AvailabilityZoneNotFoundError extends notFound(
  (zone: string) => `AvailabilityZone ${zone} could not be found.`,
) {}

export async function availabilityZones(ctx: RequestContext): Promise<AvailabilityZone[]> {
  const zones = await preparedRows<{ readonly name: string; readonly isAlive: boolean }>(
    ctx.manager,
    `SELECT zone AS name,
            bool_or(${aliveIf((name) => name)}) AS "isAlive"
       FROM agents, unnest(availability_zones) AS zone
      WHERE state <> 'forgotten'
      GROUP BY zone ORDER BY zone`,
  );
  return RESOURCES.flatMap((resource) =>
    zones.map(({ name, isAlive }) => ({
      name,
      resource,
      state: isAlive ? ('available' as const) : ('unavailable' as const),
    })),
  );
}

/** @throws AvailabilityZoneNotFoundError for a zone that has no hosts */
export async function refuseUnknownZones(
  ctx: RequestContext,
  asked: readonly string[],
): Promise<void> {
  if (asked.length === 0) return;
  const known = new Set((await availabilityZones(ctx)).map(({ name }) => name));
  const unknown = asked.find((zone) => !known.has(zone));
  if (unknown !== undefined) throw new AvailabilityZoneNotFoundError(unknown);
}

/** Characters of all hints as JSON. Public source: neutron-lib, `AZ_HINTS_DB_LEN`. */
const MAX_LENGTH = 255;
const MAX_HINTS = 10;

/** Public source: neutron-lib, `availability_zone` and `network_availability_zone`. */
export const zoneAttributes = {
  availabilityZoneHints: attribute(setOf(text(MAX_LENGTH), MAX_HINTS), {
    about: 'The requested availability zones; by default, any.',
    default: [],
    column: NO_TEXTS,
    given: 'at-creation',
    ...neither,
  }),
  availabilityZones: shownOnly(listOf(text()), {
    about: 'The availability zones that the resource is in.',
    virtual: zonesAsked,
    ...neither,
  }),
};

/**
 * SQL of the zones that a resource is in: the requested zones that have hosts, or all zones.
 * @param row a table or alias with `availability_zone_hints`
 */
export function zonesAsked(row: string): string {
  return `SELECT COALESCE(array_agg(DISTINCT zone ORDER BY zone), '{}')
            FROM agents, unnest(agents.availability_zones) AS zone
           WHERE agents.state = 'present'
             AND (${row}.availability_zone_hints = '{}'
                  OR zone = ANY(${row}.availability_zone_hints))`;
}

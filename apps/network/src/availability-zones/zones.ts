/** The availability zones that the hosts of the data plane are in. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { aliveIf } from '../agents/agent.entity.js';

export interface AvailabilityZone {
  readonly name: string;
  /** What may ask for it. */
  readonly resource: 'network' | 'router';
  /** Available while one of its hosts lives. */
  readonly state: 'available' | 'unavailable';
}

const RESOURCES = ['network', 'router'] as const;

export class AvailabilityZoneNotFoundError extends DomainError {
  constructor(zone: string) {
    super('not-found', `AvailabilityZone ${zone} could not be found.`);
  }
}

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

/** @throws AvailabilityZoneNotFoundError for one in which no host is */
export async function refuseUnknownZones(
  ctx: RequestContext,
  asked: readonly string[],
): Promise<void> {
  if (asked.length === 0) return;
  const known = new Set((await availabilityZones(ctx)).map(({ name }) => name));
  const unknown = asked.find((zone) => !known.has(zone));
  if (unknown !== undefined) throw new AvailabilityZoneNotFoundError(unknown);
}

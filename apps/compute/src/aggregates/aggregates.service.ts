import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { ComputeHostNotFoundError } from '../hosts/host.errors.js';
import { wantImages } from '../host-agent/image-cache.sweep.js';
import {
  Aggregate,
  AggregateHost,
  type CreateAggregateDto,
  type UpdateAggregateDto,
} from './aggregate.resource.js';
import {
  AggregateHostExistsError,
  AggregateHostNotFoundError,
  AggregateNameExistsError,
  AggregateNotFoundError,
  InvalidAggregateActionError,
  type AggregateAction,
} from './aggregate.errors.js';

const aggregates = new Table(Aggregate, {
  missing: (key) => new AggregateNotFoundError(rowOf(key).id ?? ''),
  touched: 'updatedAt',
  refusals: { aggregates_name_key: ({ name }) => new AggregateNameExistsError(name ?? '') },
});

const members = new Table(AggregateHost, {
  missing: (key) => {
    const { aggregateId = 0, host = '' } = rowOf(key);
    return new AggregateHostNotFoundError(aggregateId, host);
  },
  refusals: {
    aggregate_hosts_pkey: ({ aggregateId = 0, host = '' }) =>
      new AggregateHostExistsError(aggregateId, host),
    aggregate_hosts_host_fkey: ({ host = '' }) => new ComputeHostNotFoundError(host),
  },
});

/** Public source: Nova API reference, "Host aggregates (os-aggregates)". */
@Injectable()
export class AggregatesService {
  list(ctx: RequestContext): Promise<Aggregate[]> {
    return aggregates.select(ctx, [], 'ORDER BY id');
  }

  /** @throws AggregateNotFoundError */
  get(ctx: RequestContext, id: string): Promise<Aggregate> {
    return aggregates.get(ctx, { id: numberOf(id) });
  }

  /** @throws AggregateNameExistsError */
  create(ctx: RequestContext, dto: CreateAggregateDto): Promise<Aggregate> {
    const { name, availability_zone: zone = null } = dto;
    return aggregates.insert(ctx, { uuid: randomUUID(), name: name.trim(), zone });
  }

  /** @throws InvalidInputError unless the name or the zone is named; what `#change` throws */
  update(ctx: RequestContext, id: string, dto: UpdateAggregateDto): Promise<Aggregate> {
    const { name, availability_zone: zone } = dto;
    if (name === undefined && zone === undefined)
      throw new InvalidInputError(
        'Invalid input: aggregate.name or aggregate.availability_zone is required.',
      );
    return this.#change(ctx, 'update', id, (tx, aggregate) => {
      if (zone === null) throw emptyZone('update', aggregate);
      return aggregates.update(
        tx,
        { id: aggregate.id },
        {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(zone === undefined ? {} : { zone }),
        },
      );
    });
  }

  /** Keys whose value is null are removed. @throws what `#change` throws */
  setMetadata(
    ctx: RequestContext,
    id: string,
    given: Readonly<Record<string, string | null>>,
  ): Promise<Aggregate> {
    const { availability_zone: zone, ...others } = given;
    return this.#change(ctx, 'update-metadata', id, (tx, aggregate) => {
      if (zone === null || zone === '') throw emptyZone('update-metadata', aggregate);
      const merged = Object.entries({ ...aggregate.metadata, ...others });
      return aggregates.update(
        tx,
        { id: aggregate.id },
        {
          metadata: Object.fromEntries(
            merged.filter((item): item is [string, string] => item[1] !== null),
          ),
          ...(zone === undefined ? {} : { zone }),
        },
      );
    });
  }

  /** @throws ComputeHostNotFoundError, AggregateHostExistsError; what `#change` throws */
  addHost(ctx: RequestContext, id: string, host: string): Promise<Aggregate> {
    return this.#change(ctx, 'add', id, (tx, aggregate) =>
      members.insert(tx, { aggregateId: aggregate.id, host }),
    );
  }

  /** @throws AggregateHostNotFoundError; what `#change` throws */
  removeHost(ctx: RequestContext, id: string, host: string): Promise<Aggregate> {
    return this.#change(ctx, 'remove', id, (tx, aggregate) =>
      members.delete(tx, { aggregateId: aggregate.id, host }),
    );
  }

  /** @throws InvalidAggregateActionError while it has hosts */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await lockHosts(tx);
      const { id: key, hosts } = await aggregates.lock(tx, { id: numberOf(id) });
      if (hosts.length > 0)
        throw new InvalidAggregateActionError('delete', key, 'Host aggregate is not empty');
      await aggregates.deleteAll(tx, [equals('id', key)]);
    });
  }

  /** @throws InvalidInputError if an image is named twice; AggregateNotFoundError */
  async cacheImages(ctx: RequestContext, id: string, imageIds: readonly string[]): Promise<void> {
    if (new Set(imageIds).size < imageIds.length)
      throw new InvalidInputError('Duplicate images in request');
    const { hosts } = await this.get(ctx, id);
    await wantImages(ctx, hosts, imageIds);
  }

  /** Changes an aggregate, and then the zones of hosts. @throws what `applyZones` throws */
  async #change(
    ctx: RequestContext,
    action: AggregateAction,
    id: string,
    change: (tx: RequestContext, aggregate: Aggregate) => Promise<unknown>,
  ): Promise<Aggregate> {
    return inTransaction(ctx, async (tx) => {
      await lockHosts(tx);
      const aggregate = await aggregates.lock(tx, { id: numberOf(id) });
      await change(tx, aggregate);
      await applyZones(tx, action, aggregate.id);
      return aggregates.get(tx, { id: aggregate.id });
    });
  }
}

function emptyZone(action: AggregateAction, { id, name }: Aggregate): InvalidAggregateActionError {
  return new InvalidAggregateActionError(
    action,
    id,
    `Aggregate ${name} does not support empty named availability zone`,
  );
}

function numberOf(id: string): number {
  if (/^-?\d{1,9}$/.test(id)) return Number(id);
  throw new InvalidInputError('Invalid input received: id must be an integer');
}

/**
 * A host is in the zone of its aggregates, or in the default one, and keeps its zone while it has
 * servers. Public source: Nova admin guide, "Availability Zones".
 */
interface Change {
  readonly host: string;
  readonly before: string | null;
  /** The zones that its aggregates name. */
  readonly zones: readonly string[];
  readonly servers: number;
}

/** Keeps placements waiting until the transaction ends. */
async function lockHosts(tx: RequestContext): Promise<void> {
  await tx.manager.query('SELECT FROM hosts ORDER BY name FOR UPDATE');
}

/** @throws InvalidAggregateActionError for a second zone, or another zone of hosts with servers */
async function applyZones(tx: RequestContext, action: AggregateAction, id: number): Promise<void> {
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

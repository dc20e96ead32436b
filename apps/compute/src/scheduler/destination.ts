import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { DEFAULT_ZONE, type Host } from '../hosts/host.entity.js';
import { HostRepository } from '../hosts/host.repository.js';
import type { SchedulingRequest } from '../servers/server.entity.js';
import { refuseBefore } from '../versions/microversions.js';

/** The requested place of new servers. */
export interface Destination {
  /** A zone; for administrators also `zone:host`, `zone:host:node` and `zone::node`. */
  readonly availability_zone?: string | null;
  readonly host?: string;
  readonly hypervisor_hostname?: string;
}

/** Checks the requested place. Public source: Nova API reference, "Create Server". */
@Injectable()
export class RequestedDestination {
  constructor(private readonly hosts: HostRepository) {}

  /** @throws InvalidInputError if unknown; ForbiddenError for a host, unless of an administrator */
  async of(
    ctx: RequestContext,
    destination: Destination,
  ): Promise<Pick<SchedulingRequest, 'zone' | 'host' | 'isForced'>> {
    const forced = parseZone(destination.availability_zone ?? '');
    const named = namedHost(ctx, destination);
    if (forced.host === undefined) {
      if (forced.zone !== undefined) await this.#requireZone(ctx, forced.zone);
      const { name } = named === undefined ? {} : await this.#host(ctx, named);
      return withoutUndefined({ zone: forced.zone, host: name });
    }
    requireAdmin(ctx, 'create:forced_host');
    if (named !== undefined)
      throw new InvalidInputError(
        'One mechanism with host and/or hypervisor_hostname and another mechanism with zone:host:node are mutually exclusive.',
      );
    const { name, zone } = await this.#host(ctx, forced.host);
    // The host's own zone, whichever was named with it.
    return {
      ...(forced.zone === undefined ? {} : { zone: zone ?? DEFAULT_ZONE }),
      host: name,
      isForced: true,
    };
  }

  async #host(ctx: RequestContext, name: string): Promise<Host> {
    const host = await this.hosts.find(ctx, name);
    if (!host) throw new InvalidInputError(`Compute host ${name} could not be found.`);
    return host;
  }

  async #requireZone(ctx: RequestContext, zone: string): Promise<void> {
    const found: unknown[] = await ctx.manager.query(
      'SELECT FROM hosts WHERE coalesce(zone, $1) = $2 AND enabled LIMIT 1',
      [DEFAULT_ZONE, zone],
    );
    if (found.length === 0)
      throw new InvalidInputError('The requested availability zone is not available');
  }
}

/** A host and its hypervisor have the same name. */
function namedHost(ctx: RequestContext, destination: Destination): string | undefined {
  const { host, hypervisor_hostname: node } = destination;
  for (const [property, value] of Object.entries({ host, hypervisor_hostname: node }))
    if (value !== undefined) refuseBefore(ctx, 74, `server.${property}`);
  if (host === undefined && node === undefined) return undefined;
  requireAdmin(ctx, 'create:requested_destination');
  if (host !== undefined && node !== undefined && host !== node)
    throw new InvalidInputError(`Compute host ${node} could not be found.`);
  return host ?? node;
}

/** @throws InvalidInputError for more than three parts, or two different hosts */
function parseZone(text: string): { zone?: string; host?: string } {
  const [zone = '', host = '', node = '', ...more] = text.split(':');
  if (more.length > 0 || (host !== '' && node !== '' && host !== node))
    throw new InvalidInputError('Invalid input received: Unable to parse availability_zone');
  return withoutUndefined({ zone: zone || undefined, host: host || node || undefined });
}

function requireAdmin(ctx: RequestContext, rule: string): void {
  if (ctx.isAdmin) return;
  throw new ForbiddenError(`Policy doesn't allow os_compute_api:servers:${rule} to be performed.`);
}

function withoutUndefined<T extends object>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as never;
}

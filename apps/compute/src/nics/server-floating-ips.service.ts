/**
 * Floating IPs of servers for clients of early microversions; the network service associates them
 * as its caller. Public source: Nova API reference, "Add (Associate) Floating Ip (addFloatingIp
 * Action) (DEPRECATED)"; nova, `api/openstack/compute/floating_ips.py`.
 */
import { isIPv4 } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { FloatingIp } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { type Networks, NETWORKS } from '../networks.port.js';
import type { Server } from '../servers/server.entity.js';
import * as errors from './nic.errors.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';

interface Place {
  readonly portId: string;
  readonly fixedAddress: string;
}

@Injectable()
export class ServerFloatingIpsService {
  constructor(
    private readonly nics: NicRepository,
    private readonly nicPorts: NicPortsService,
    @Inject(NETWORKS) private readonly configured: Networks | undefined,
  ) {}

  /**
   * Associates a floating IP with the server, and with nothing else any more.
   * @param fixedAddress of the server; by default its first IPv4 address
   * @throws FloatingIpNotFoundError if the caller sees none of that address
   */
  async add(
    ctx: RequestContext,
    server: Server,
    address: string,
    fixedAddress?: string,
  ): Promise<void> {
    const places = await this.#places(ctx, server);
    const to = placeOf(server, address, places, fixedAddress);
    const { id, portId } = await this.#floatingIp(ctx, address);
    await this.#networks.associateFloatingIp(asCaller(ctx), id, to).catch(associated);
    await this.#refresh(ctx, [to.portId, portId]);
  }

  /** @throws FloatingIpNotAssociatedError if it is not associated with this server */
  async remove(ctx: RequestContext, server: Server, address: string): Promise<void> {
    const { id, portId } = await this.#floatingIp(ctx, address);
    const nics = await this.nics.ofServer(ctx, server.id);
    if (portId === null || !nics.some((nic) => nic.portId === portId))
      throw new errors.FloatingIpNotAssociatedError(address, server.id);
    await this.#networks.associateFloatingIp(asCaller(ctx), id, null);
    await this.#refresh(ctx, [portId]);
  }

  async #places(ctx: RequestContext, server: Server): Promise<Place[]> {
    const nics = await this.nics.ofServer(ctx, server.id);
    return nics.flatMap(({ portId, addresses }) =>
      portId === null ? [] : addresses.map((one) => ({ portId, fixedAddress: one.address })),
    );
  }

  async #floatingIp(ctx: RequestContext, address: string): Promise<FloatingIp> {
    const filter = { floating_ip_address: address };
    const [found] = await this.#networks.floatingIps(asCaller(ctx), filter);
    if (!found) throw new errors.FloatingIpNotFoundError();
    return found;
  }

  /** Shows changes in servers at once. */
  async #refresh(ctx: RequestContext, portIds: readonly (string | null)[]): Promise<void> {
    const changed = await this.nics.withPorts(
      ctx,
      portIds.filter((id) => id !== null),
    );
    for (const nic of changed) await this.nicPorts.refresh(ctx, nic);
  }

  get #networks(): Networks {
    if (this.configured) return this.configured;
    throw new errors.NoNetworkServiceError('this');
  }
}

/** @throws InvalidInputError in Nova's words */
function placeOf(
  server: Server,
  address: string,
  places: readonly Place[],
  wanted: string | undefined,
): Place {
  if (places.length === 0) throw new InvalidInputError('No fixed IPs associated to instance');
  const found = places.find(({ fixedAddress }) =>
    wanted === undefined ? isIPv4(fixedAddress) : fixedAddress === wanted,
  );
  if (found) return found;
  throw new InvalidInputError(
    wanted === undefined
      ? `Unable to associate floating IP ${address} to any fixed IPs for instance ${server.id}. ` +
          'Instance has no fixed IPv4 addresses to associate.'
      : 'Specified fixed address not assigned to instance',
  );
}

/** 400 as Nova, instead of the network service's 409. */
function associated(error: unknown): never {
  if (error instanceof ServiceRefusedError && error.status === 409)
    throw new InvalidInputError('floating IP is already associated', { cause: error });
  throw error;
}

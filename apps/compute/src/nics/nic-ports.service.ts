/**
 * Creates, binds and releases the ports of servers' NICs, as compute itself.
 *
 * Always holds: before a port is requested, its NIC's row says so, and the Idempotency-Key follows
 * from the row: after a crash, the same port is used or deleted.
 */
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { asService, type Actor } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Port, PortBinding } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { type Networks, NETWORKS } from '../networks.port.js';
import type { Server } from '../servers/server.entity.js';
import type { Nic } from './nic.entity.js';
import { PortBindingFailedError, PortInUseError, PortNotFoundError } from './nic.errors.js';
import { NicRepository } from './nic.repository.js';

/** The server of a port. */
export type Owner = Pick<Server, 'id' | 'projectId' | 'hostname'>;

/** The binding of a port. */
export interface Place {
  readonly host: string;
  /** The user who may open its device; undefined for the default one. */
  readonly uid: number | undefined;
}

/** A name on a network is one label (RFC 1123). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

@Injectable()
export class NicPortsService {
  constructor(
    private readonly nics: NicRepository,
    @Inject(NETWORKS) private readonly configured: Networks | undefined,
  ) {}

  /** @throws ServiceRefusedError in the words of the network service */
  async ensurePort(ctx: RequestContext, server: Owner, nic: Nic): Promise<Nic> {
    if (nic.portId !== null) return nic;
    const port = await this.#made(ctx, server, nic);
    return this.nics.update(ctx, nic.id, { portId: port.id, networkId: port.networkId });
  }

  /**
   * Binds the NIC's port to the host, and records the result.
   * @returns undefined until the network has a result
   * @throws PortNotFoundError, PortInUseError or PortBindingFailedError
   */
  async ensureBound(
    ctx: RequestContext,
    server: Owner,
    nic: Nic,
    { host, uid }: Place,
  ): Promise<Nic | undefined> {
    const actor = asService(ctx);
    const { portId } = nic;
    const found = portId === null ? undefined : await this.#networks.port(actor, portId);
    if (!found) throw new PortNotFoundError(portId ?? '');
    if (found.deviceId !== '' && found.deviceId !== server.id) throw new PortInUseError(found.id);
    const binding = bindingOf(server, found, { host, uid });
    const port = isAs(binding, found)
      ? found
      : await this.#networks.bindPort(actor, found.id, binding);
    if (port.vif?.type === 'binding_failed') {
      const { reason } = port.vif.details;
      const why = typeof reason === 'string' ? reason : 'the network service gave no reason';
      throw new PortBindingFailedError(port.id, why);
    }
    const isPending = port.status === 'BUILD';
    const isKnown = nic.host === host && isDeepStrictEqual(nic.vif, port.vif);
    if (isKnown && nic.network !== null) return isPending ? undefined : nic;
    const known = await this.#known(actor, port);
    const bound = await this.nics.record(ctx, nic, { ...known, host });
    return isPending ? undefined : bound;
  }

  /** Namespace of guests' devices on a host; undefined, too, while the network service is down. */
  async namespaceOf(ctx: RequestContext, host: string | null): Promise<string | undefined> {
    if (!this.configured || host === null) return undefined;
    // The guest starts all the same, but gets no further NIC until its next start.
    return this.configured.namespaceOf(asService(ctx), host).catch(() => undefined);
  }

  /** Reads the NIC's port again. @returns false if it is gone, or is not the server's any more */
  async refresh(ctx: RequestContext, nic: Nic): Promise<boolean> {
    if (nic.portId === null) return true;
    const actor = asService(ctx);
    const port = await this.#networks.port(actor, nic.portId);
    if (!port || (port.deviceId !== '' && port.deviceId !== nic.serverId)) return false;
    const { vif = null, ...known } = await this.#known(actor, port);
    const isBound = nic.host !== null && port.hostId === nic.host;
    await this.nics.record(ctx, nic, isBound ? { ...known, vif } : known);
    return true;
  }

  /** Deletes a port made for the NIC, even if the answer was lost; frees one that was given. */
  async release(ctx: RequestContext, server: Owner, nic: Nic): Promise<void> {
    const actor = asService(ctx);
    if (nic.isGiven) {
      const port = nic.portId === null ? undefined : await this.#networks.port(actor, nic.portId);
      // Another owner keeps it.
      if (port?.deviceId === server.id) await this.#networks.freePort(actor, port.id);
      return;
    }
    const portId = nic.portId ?? (await this.#requestedAgain(ctx, server, nic));
    if (portId !== undefined) await this.#networks.deletePort(actor, portId);
  }

  /** The port of a request whose answer was lost, found by repeating it. */
  async #requestedAgain(ctx: RequestContext, server: Owner, nic: Nic): Promise<string | undefined> {
    if (!nic.isAsked) return undefined;
    try {
      return (await this.#made(ctx, server, nic)).id;
    } catch (error) {
      if (error instanceof ServiceRefusedError) return undefined;
      throw error;
    }
  }

  async #made(ctx: RequestContext, server: Owner, nic: Nic): Promise<Port> {
    const actor = asService(ctx);
    const networkId = nic.networkId ?? (await this.#allocated(ctx, server, nic));
    if (!nic.isAsked) await this.nics.update(ctx, nic.id, { isAsked: true });
    const asked = {
      networkId,
      projectId: server.projectId,
      deviceId: server.id,
      ...(nic.askedAddress === null ? {} : { addresses: [{ address: nic.askedAddress }] }),
      ...(nic.askedGroups === null ? {} : { securityGroupIds: nic.askedGroups }),
    };
    return this.#networks.createPort(actor, asked, `server-nic-${nic.id}`);
  }

  /** The network is stored before the port is requested: the key is of that request. */
  async #allocated(ctx: RequestContext, server: Owner, nic: Nic): Promise<string> {
    const networkId = await this.#networks.autoAllocated(asService(ctx), server.projectId);
    await this.nics.update(ctx, nic.id, { networkId });
    return networkId;
  }

  /** A port's data for views and the guest. */
  async #known(actor: Actor, port: Port): Promise<Partial<Nic>> {
    const of = { network_id: port.networkId };
    const [[network], subnets, floatingIps, groups] = await Promise.all([
      this.#networks.networks(actor, { id: port.networkId }),
      this.#networks.subnets(actor, of),
      this.#networks.floatingIps(actor, { port_id: port.id }),
      port.securityGroupIds.length === 0
        ? []
        : this.#networks.securityGroups(actor, { id: port.securityGroupIds }),
    ]);
    if (!network) throw new DomainError('transient', `Network ${port.networkId} is not shown.`);
    return {
      networkId: port.networkId,
      macAddress: port.macAddress,
      vif: port.vif ?? null,
      network: { name: network.name, mtu: network.mtu, subnets },
      addresses: [...port.addresses],
      floatingIps: floatingIps.flatMap(({ fixedAddress, floatingAddress }) =>
        fixedAddress === null ? [] : [{ fixedAddress, floatingAddress }],
      ),
      groupNames: groups.map(({ name }) => name).sort(),
      seenAt: new Date(),
    };
  }

  get #networks(): Networks {
    if (this.configured) return this.configured;
    throw new DomainError('conflict', 'This cloud no longer has a network service.');
  }
}

function bindingOf({ id, hostname }: Owner, port: Port, { host, uid }: Place): PortBinding {
  return {
    deviceId: id,
    deviceOwner: 'compute:nova',
    hostId: host,
    dnsName: port.dnsName === '' && LABEL.test(hostname) ? hostname.toLowerCase() : undefined,
    bindingProfile: uid === undefined ? {} : { tap_uid: uid },
  };
}

function isAs(binding: PortBinding, port: Port): boolean {
  return (
    port.hostId === binding.hostId &&
    port.deviceId === binding.deviceId &&
    port.bindingProfile?.['tap_uid'] === binding.bindingProfile?.['tap_uid']
  );
}

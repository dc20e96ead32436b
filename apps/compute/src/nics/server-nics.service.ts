/** NICs of servers, for requests and the reconciler. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { GuestNic } from '../hypervisor/ports/guest-nic.js';
import type { Server, ServerId } from '../servers/server.entity.js';
import { networkRequestsOf, type NetworkRequestDto } from '../servers/dto/network-requests.js';
import { guestNicOf, isolatedNicOf, networkDataOf } from './network-data.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { RequestedNicsService, type RequestedNic } from './nic-requests.service.js';

/** A request's networks for a new server. */
interface NewServerNetworks {
  readonly networks?: 'none' | 'auto' | readonly NetworkRequestDto[];
  readonly security_groups?: readonly { readonly name: string }[];
}

/** A guest's NICs in its spec and its config drive. */
export interface GuestNetwork {
  readonly nics: readonly GuestNic[];
  /** `network_data.json`; undefined without NICs. */
  readonly networkData: Readonly<Record<string, unknown>> | undefined;
  /** The namespace of later devices, for a guest without any. */
  readonly namespace?: string | undefined;
}

/** Polls for a port to be plugged in; its event comes sooner. */
const PLUGGED_POLL_MS = 250;

@Injectable()
export class ServerNicsService {
  constructor(
    private readonly nics: NicRepository,
    private readonly requested: RequestedNicsService,
    private readonly ports: NicPortsService,
  ) {}

  /**
   * Checks a request as its caller.
   * @param server the only one that gets the NICs, if there is one
   */
  async wanted(
    ctx: RequestContext,
    { networks, security_groups: groups = [] }: NewServerNetworks,
    count: number,
    server: { readonly id: string; readonly hostname: string } | undefined,
  ): Promise<RequestedNic[]> {
    return this.requested.of(ctx, {
      networks: networkRequestsOf(networks, count),
      groups: groups.map(({ name }) => name),
      count,
      ...(server && count === 1 ? { server } : {}),
    });
  }

  /** Servers' own rows: an isolated NIC where there are no networks at all. */
  nicColumn({ networks }: NewServerNetworks): Server['nic'] {
    return this.requested.isOffered || networks === 'none' ? 'none' : 'isolated';
  }

  /** @throws PortInUseError for a port that another server has taken meanwhile */
  async insert(
    tx: RequestContext,
    servers: readonly { readonly id: ServerId }[],
    nics: readonly RequestedNic[],
  ): Promise<void> {
    if (nics.length === 0) return;
    for (const { id } of servers) await this.nics.insertRequested(tx, { id }, nics);
  }

  /**
   * Has each NIC of a placed server plugged in on its host.
   * @param uid the user who may open the devices
   * @returns a time to wait until the network has a result
   */
  async ensurePorts(
    ctx: RequestContext,
    server: Server,
    uid: () => Promise<number | undefined>,
  ): Promise<Wait | undefined> {
    const { host } = server;
    const nics = await this.nics.ofServer(ctx, server.id);
    if (host === null || nics.length === 0) return undefined;
    const user = await uid();
    let isPending = false;
    for (const nic of nics) {
      // NICs attached to the running server have runs of their own.
      if (nic.state === 'releasing' || nic.state === 'attaching') continue;
      const withPort = await this.ports.ensurePort(ctx, server, nic);
      const bound = await this.ports.ensureBound(ctx, server, withPort, { host, uid: user });
      isPending ||= bound === undefined;
    }
    return isPending ? { waitMs: PLUGGED_POLL_MS } : undefined;
  }

  /**
   * A NIC that is being attached has a run of its own, which may be making or binding its port,
   * even if it was told to detach since.
   * @returns a time to wait while there is one
   */
  async awaitAttaching(ctx: RequestContext, server: Server): Promise<Wait | undefined> {
    const nics = await this.nics.ofServer(ctx, server.id);
    const isAttaching = nics.some(({ state }) => state === 'attaching' || state === 'detaching');
    return isAttaching ? { waitMs: PLUGGED_POLL_MS } : undefined;
  }

  /**
   * Releases all ports of a server. NIC rows go with the server's row, unless a NIC's own run,
   * which may be releasing the same port, comes first.
   */
  async releasePorts(ctx: RequestContext, server: Server): Promise<void> {
    for (const nic of await this.nics.ofServer(ctx, server.id)) {
      await this.ports.release(ctx, server, nic);
      const gone = { host: null, vif: null, network: null, addresses: [], floatingIps: [] };
      // A server that stays, in error, requests nothing again.
      const port = nic.isGiven ? {} : { portId: null, isAsked: false };
      await this.nics.recordIfThere(ctx, nic, { ...gone, ...port, groupNames: [] });
    }
  }

  /** For a guest that starts now. */
  async ofGuest(ctx: RequestContext, server: Server): Promise<GuestNetwork> {
    if (server.nic === 'isolated')
      return { nics: [isolatedNicOf(server.id)], networkData: undefined };
    const all = await this.nics.ofServer(ctx, server.id);
    const plugged = all.filter(
      ({ state, host, network }) =>
        state !== 'releasing' && network !== null && host !== null && host === server.host,
    );
    const namespace =
      plugged.length === 0 ? await this.ports.namespaceOf(ctx, server.host) : undefined;
    return { nics: plugged.map(guestNicOf), networkData: networkDataOf(plugged), namespace };
  }
}

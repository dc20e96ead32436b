/** The network cards of servers as their requests and their reconciler have them. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { GuestNic } from '../hypervisor/network-card.js';
import type { Server, ServerId } from '../servers/server.entity.js';
import { networkRequestsOf, type NetworkRequestDto } from '../servers/dto/network-requests.js';
import { guestNicOf, isolatedNicOf, networkDataOf } from './network-data.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { RequestedNicsService, type RequestedNic } from './requested-nics.service.js';

/** What a request says of a new server's networks. */
interface NewServerNetworks {
  readonly networks?: 'none' | 'auto' | readonly NetworkRequestDto[];
  readonly security_groups?: readonly { readonly name: string }[];
}

/** What a guest is told of its network cards. */
export interface GuestNetwork {
  readonly nics: readonly GuestNic[];
  /** `network_data.json`; undefined where there is nothing to tell. */
  readonly networkData: Readonly<Record<string, unknown>> | undefined;
  /** Where its cards' devices will be, of a guest that has none yet. */
  readonly namespace?: string | undefined;
}

/** How often to look whether the network has plugged a port in; its event comes sooner. */
const PLUGGED_POLL_MS = 250;

@Injectable()
export class ServerNicsService {
  constructor(
    private readonly nics: NicRepository,
    private readonly requested: RequestedNicsService,
    private readonly ports: NicPortsService,
  ) {}

  /**
   * Judges what is asked for, as the caller.
   * @param server the one that will have it, if it is one alone
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

  /** What the servers' own rows say: a card on no network, where there are none at all. */
  cardOf({ networks }: NewServerNetworks): Server['nic'] {
    return this.requested.isOffered || networks === 'none' ? 'none' : 'isolated';
  }

  /** @throws PortInUseError for a port that another server has got meanwhile */
  async insert(
    tx: RequestContext,
    servers: readonly { readonly id: ServerId }[],
    nics: readonly RequestedNic[],
  ): Promise<void> {
    if (nics.length === 0) return;
    for (const { id } of servers) await this.nics.insertRequested(tx, { id }, nics);
  }

  /**
   * Has each card of a server that has a host plugged in there.
   * @param uid the user who may open the devices
   * @returns a time to wait while the network has not come to a result
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
      // Attached to the running server, it has a run of its own.
      if (nic.state === 'releasing' || nic.state === 'attaching') continue;
      const withPort = await this.ports.ensurePort(ctx, server, nic);
      const bound = await this.ports.ensureBound(ctx, server, withPort, { host, uid: user });
      isPending ||= bound === undefined;
    }
    return isPending ? { waitMs: PLUGGED_POLL_MS } : undefined;
  }

  /**
   * A card that is being attached has a run of its own, which may be making or binding its port just
   * now; also one that has been told to detach meanwhile.
   * @returns a time to wait while there is one
   */
  async awaitAttaching(ctx: RequestContext, server: Server): Promise<Wait | undefined> {
    const nics = await this.nics.ofServer(ctx, server.id);
    const isAttaching = nics.some(({ state }) => state === 'attaching' || state === 'detaching');
    return isAttaching ? { waitMs: PLUGGED_POLL_MS } : undefined;
  }

  /**
   * Lets go of all ports of a server. Its cards' rows go with its own, unless a card's own run, which
   * may be letting go of the same port, is there first.
   */
  async releasePorts(ctx: RequestContext, server: Server): Promise<void> {
    for (const nic of await this.nics.ofServer(ctx, server.id)) {
      await this.ports.release(ctx, server, nic);
      const gone = { host: null, vif: null, network: null, addresses: [], floatingIps: [] };
      // So that nothing is asked for again of a server that stays, in error.
      const port = nic.isGiven ? {} : { portId: null, isAsked: false };
      await this.nics.recordIfThere(ctx, nic, { ...gone, ...port, groupNames: [] });
    }
  }

  /** What a guest that starts now has. */
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

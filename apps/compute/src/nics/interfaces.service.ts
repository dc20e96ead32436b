/** Attaches and detaches NICs. The row comes first, so that a worker continues whatever dies. */
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import type { Port } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { nudge } from '@cumulet/common/jobs/nudge';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { waitUntil } from '../hypervisor/wait-until.js';
import { recordAction } from '../servers/instance-actions/record-action.js';
import { type Networks, NETWORKS } from '../networks.port.js';
import { requireUnlocked, conflictOf } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import type { ServerState } from '../servers/server.states.js';
import { networkRequestsOf } from '../servers/dto/network-requests.js';
import type { InterfaceDto } from './interface.dto.js';
import type { Nic } from './nic.entity.js';
import {
  InterfaceAttachFailedError,
  InterfaceNotFoundError,
  NoNetworkServiceError,
  PortNotFoundError,
} from './nic.errors.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { nicStates, type NicState, taskOfNic } from './nic.states.js';
import { RequestedNicsService, type RequestedNic } from './nic-requests.service.js';

/** A NIC with its port as it is now. */
export interface Interface {
  readonly nic: Nic;
  readonly port: Port;
}

/** States of a NIC that its server is about to lose. */
const LEAVING: readonly NicState[] = ['detaching', 'releasing'];
const ATTACH_STATES: readonly ServerState[] = ['active', 'paused', 'stopped'];
/** Until then the request itself works on the port. */
const TAKE_OVER_MS = 5_000;
/** Nova's client expects the outcome with the answer. */
const ANSWER_AFTER_MS = 20_000;
const LOOK_EVERY_MS = 25;

@Injectable()
export class InterfacesService {
  constructor(
    private readonly nics: NicRepository,
    private readonly servers: ServerRepository,
    private readonly requested: RequestedNicsService,
    private readonly ports: NicPortsService,
    @Inject(NETWORKS) private readonly networks: Networks | undefined,
  ) {}

  async list(ctx: RequestContext, server: Server): Promise<Interface[]> {
    if (!this.networks) return [];
    const nics = await this.nics.ofServer(ctx, server.id);
    if (nics.length === 0) return [];
    const ports = await this.networks.ports(asService(ctx), { device_id: server.id });
    return nics.flatMap((nic) => {
      const port = ports.find(({ id }) => id === nic.portId);
      return port ? [{ nic, port }] : [];
    });
  }

  /** @throws InterfaceNotFoundError */
  async get(ctx: RequestContext, server: Server, portId: string): Promise<Interface> {
    const found = (await this.list(ctx, server)).find(({ port }) => port.id === portId);
    if (!found) throw new InterfaceNotFoundError(server.id, portId);
    return found;
  }

  /**
   * Returns once the NIC is plugged in, which continues after the client's patience.
   * @throws the errors of nic.errors.ts, and ServiceRefusedError in the network service's words
   */
  async attach(ctx: RequestContext, server: Server, asked: InterfaceDto): Promise<Interface> {
    if (!this.networks) throw new NoNetworkServiceError('an interface');
    requireUnlocked(ctx, server);
    requireState(server, 'attach_interface');
    await this.#untilReleased(ctx, server, asked.port_id);
    const [wanted] = await this.requested.of(ctx, {
      networks: interfaceRequestsOf(asked),
      groups: [],
      count: 1,
      server,
      attaching: true,
    });
    if (!wanted) throw new NoNetworkServiceError('an interface');
    const nic = await this.#insert(ctx, server, wanted);
    const made = await this.#portOf(ctx, server, nic).catch(async (error: unknown) => {
      await this.#undo(ctx, nic, error instanceof DomainError ? error.message : null);
      throw error;
    });
    await this.#nudge(ctx, nic);
    await this.#untilPlugged(ctx, nic);
    // Attached, whether the network service still answers or not.
    const port = await this.networks.port(asService(ctx), made.id).catch(() => undefined);
    return { nic, port: port ?? made };
  }

  /** Does nothing while it is being detached. @throws PortNotFoundError */
  async detach(ctx: RequestContext, server: Server, portId: string): Promise<void> {
    requireUnlocked(ctx, server);
    const nics = await this.nics.ofServer(ctx, server.id);
    const nic = nics.find((one) => one.portId === portId);
    if (!nic) throw new PortNotFoundError(portId, 'not-found');
    if (LEAVING.includes(nic.state)) return;
    requireState(server, 'detach_interface');
    await inTransaction(ctx, async (tx) => {
      await transition(tx, nicStates, nic.id, 'detach');
      await recordAction(tx, [server.id], 'detach_interface', nic.id);
      await this.#nudge(tx, { ...pickTask(nic), state: 'detaching' });
    });
  }

  /** A port that is leaving the server can be attached to it again. */
  async #untilReleased(ctx: RequestContext, { id }: Server, portId?: string): Promise<void> {
    if (portId === undefined) return;
    await untilAnswered(async () => {
      const nics = await this.nics.withPorts(ctx, [portId]);
      return !nics.some(({ serverId, state }) => serverId === id && LEAVING.includes(state));
    });
  }

  async #portOf(ctx: RequestContext, server: Server, nic: Nic): Promise<Port> {
    const { portId } = await this.ports.ensurePort(ctx, server, nic);
    const port = await this.networks?.port(asService(ctx), portId ?? '');
    if (!port) throw new PortNotFoundError(portId ?? '', 'not-found');
    return port;
  }

  /** @throws InterfaceAttachFailedError if it takes too long */
  async #untilPlugged(ctx: RequestContext, { id, serverId }: Nic): Promise<void> {
    let nic: Nic | undefined;
    await untilAnswered(async () => {
      nic = await this.nics.find(ctx, id);
      return nic?.state !== 'attaching';
    });
    if (!nic || nic.state === 'releasing')
      throw new InterfaceAttachFailedError(serverId, nic?.stateReason ?? undefined);
  }

  /** In one transaction with the server's state, which does not change before it ends. */
  async #insert(ctx: RequestContext, { id }: Server, wanted: RequestedNic): Promise<Nic> {
    return inTransaction(ctx, async (tx) => {
      const server = await this.servers.lock(tx, id);
      requireState(server, 'attach_interface');
      const first = await this.nics.freePosition(tx, id);
      const [row] = await this.nics.insertRequested(tx, { id, first }, [wanted]);
      if (!row) throw new Error('no row was inserted');
      const { host } = server;
      await transition(tx, nicStates, row.id, 'attach', { set: { host } });
      const nic = await this.nics.get(tx, row.id);
      await recordAction(tx, [id], 'attach_interface', nic.id);
      await this.#nudge(tx, nic, TAKE_OVER_MS);
      return nic;
    });
  }

  /** The request is refused; the worker releases what there may be by now. */
  async #undo(ctx: RequestContext, nic: Nic, reason: string | null): Promise<void> {
    try {
      await inTransaction(ctx, async (tx) => {
        await transition(tx, nicStates, nic.id, 'fail', { reason });
        await this.#nudge(tx, { ...pickTask(nic), state: 'releasing' });
      });
    } catch (error) {
      if (!(error instanceof SupersededError)) throw error;
    }
  }

  #nudge(ctx: RequestContext, nic: Pick<Nic, 'id' | 'state' | 'host'>, delayMs = 0): Promise<void> {
    return nudge(ctx, {
      task: taskOfNic(nic),
      resource: nicStates.resource,
      id: nic.id,
      delayMs,
    });
  }
}

function untilAnswered(holds: () => Promise<boolean>): Promise<boolean> {
  return waitUntil(holds, ANSWER_AFTER_MS, LOOK_EVERY_MS);
}

function pickTask({ id, host }: Nic): Pick<Nic, 'id' | 'host'> {
  return { id, host };
}

/** @throws ServerStateConflictError */
function requireState(server: Server, action: string): void {
  if (!ATTACH_STATES.includes(server.state)) throw conflictOf(action, server, ATTACH_STATES);
}

/** The networks in a request for an interface, in the form of a server's. */
function interfaceRequestsOf({ net_id, port_id, fixed_ips, tag }: InterfaceDto) {
  if (net_id !== undefined && port_id !== undefined)
    throw new InvalidInputError('Must not input both network_id and port_id');
  const [address] = fixed_ips ?? [];
  if (address && net_id === undefined)
    throw new InvalidInputError('Must input network_id when request IP address');
  if (net_id === undefined && port_id === undefined) return 'any';
  return networkRequestsOf(
    [
      {
        ...(net_id === undefined ? {} : { uuid: net_id }),
        ...(port_id === undefined ? {} : { port: port_id }),
        ...(address ? { fixed_ip: address.ip_address } : {}),
        ...(tag === undefined ? {} : { tag }),
      },
    ],
    1,
  );
}

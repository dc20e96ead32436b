/**
 * Attaches network cards to servers that are there, and detaches them. The row comes first, with a
 * nudge for its worker: so whoever dies half way, the worker goes on, or undoes it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import type { Port } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { nudge } from '@cumulet/common/jobs/nudge';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { type Networks, NETWORKS } from '../networks.port.js';
import { requireUnlocked } from '../servers/server-lock.js';
import { conflictOf } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import type { ServerState } from '../servers/server.states.js';
import type { InterfaceDto } from './interface.dto.js';
import { networkRequestsOf } from './network-requests.js';
import type { Nic } from './nic.entity.js';
import { InterfaceNotFoundError, NoNetworkServiceError, PortNotFoundError } from './nic.errors.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { nicStates } from './nic.states.js';
import { taskOfNic } from './nic.tasks.js';
import { RequestedNicsService, type RequestedNic } from './requested-nics.service.js';

/** A card with its port, as it is now. */
export interface Interface {
  readonly nic: Nic;
  readonly port: Port;
}

const ATTACH_STATES: readonly ServerState[] = ['active', 'paused', 'stopped'];
/** Until then the request itself cares for the port, and nobody else need. */
const TAKE_OVER_MS = 5_000;

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

  /** @throws the errors of nic.errors.ts, and ServiceRefusedError in the network service's words */
  async attach(ctx: RequestContext, server: Server, asked: InterfaceDto): Promise<Interface> {
    if (!this.networks) throw new NoNetworkServiceError('an interface');
    requireUnlocked(ctx, server);
    requireState(server, 'attach_interface');
    const [wanted] = await this.requested.of(ctx, {
      ...{ networks: requestsOf(asked), groups: [], count: 1, server, attaching: true },
    });
    if (!wanted) throw new NoNetworkServiceError('an interface');
    const nic = await this.#insert(ctx, server, wanted);
    try {
      const { portId } = await this.ports.ensurePort(ctx, server, nic);
      const port = await this.networks.port(asService(ctx), portId ?? '');
      if (!port) throw new PortNotFoundError(portId ?? '', 'not-found');
      await this.#nudge(ctx, nic);
      return { nic, port };
    } catch (error) {
      await this.#undo(ctx, nic);
      throw error;
    }
  }

  /** Leaves one that is being detached already alone. @throws PortNotFoundError */
  async detach(ctx: RequestContext, server: Server, portId: string): Promise<void> {
    requireUnlocked(ctx, server);
    const nics = await this.nics.ofServer(ctx, server.id);
    const nic = nics.find((one) => one.portId === portId);
    if (!nic) throw new PortNotFoundError(portId, 'not-found');
    if (nic.state === 'detaching' || nic.state === 'releasing') return;
    requireState(server, 'detach_interface');
    await inTransaction(ctx, async (tx) => {
      await transition(tx, nicStates, nic.id, 'detach');
      await this.#nudge(tx, { ...pickTask(nic), state: 'detaching' });
    });
  }

  /** In one transaction with the state of the server, which does not change before it ends. */
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
      await this.#nudge(tx, nic, TAKE_OVER_MS);
      return nic;
    });
  }

  /** What was asked for is refused: the worker lets go of what there may be by now. */
  async #undo(ctx: RequestContext, nic: Nic): Promise<void> {
    try {
      await inTransaction(ctx, async (tx) => {
        await transition(tx, nicStates, nic.id, 'fail');
        await this.#nudge(tx, { ...pickTask(nic), state: 'releasing' });
      });
    } catch (error) {
      if (!(error instanceof SupersededError)) throw error;
    }
  }

  #nudge(ctx: RequestContext, nic: Pick<Nic, 'id' | 'state' | 'host'>, delayMs = 0): Promise<void> {
    return nudge(ctx, {
      ...{ task: taskOfNic(nic), resource: nicStates.resource, id: nic.id, delayMs },
    });
  }
}

function pickTask({ id, host }: Nic): Pick<Nic, 'id' | 'host'> {
  return { id, host };
}

/** @throws ServerStateConflictError */
function requireState(server: Server, action: string): void {
  if (!ATTACH_STATES.includes(server.state)) throw conflictOf(action, server, ATTACH_STATES);
}

function requestsOf({ net_id, port_id, fixed_ips, tag }: InterfaceDto) {
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

import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import {
  SupersededError,
  transition,
  WrongStateError,
  type TransitionOptions,
} from '@cumulet/common/states/transition';
import type { ComputeConfig } from '../config.js';
import { recordAction } from './instance-actions/record-action.js';
import type { Server } from './server.entity.js';
import { ServerNotFoundError, ServerStateConflictError } from './server.errors.js';
import { lockerOf, requireUnlocked, conflictOf } from './server-status.js';
import { ServerRepository } from './server.repository.js';
import { serverStates, type ServerEvent } from './server.states.js';
import { nudgeServer } from './server.tasks.js';
import { deadlineOf } from './shutdown-time.js';

/** Further changes with a server's state. */
interface ServerChanges extends Pick<TransitionOptions, 'only' | 'set' | 'reason'> {
  /** For changes that a lock does not prevent. */
  readonly evenLocked?: boolean;
}

@Injectable()
export class ServersService {
  constructor(
    private readonly servers: ServerRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  /** @throws ServerNotFoundError also for a server of another project */
  async get(ctx: RequestContext, id: string): Promise<Server> {
    const server = isUuid(id) ? await this.servers.visible(ctx, id) : undefined;
    if (!server) throw new ServerNotFoundError(id);
    return server;
  }

  /** Does nothing to a server that is being deleted (Nova answers 204 again). */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const server = await this.get(ctx, id);
    if (server.state === 'deleting') return;
    // The failure is shown while the server is being deleted.
    const reason = server.state === 'error' ? server.stateReason : null;
    await this.change(ctx, server, 'delete', 'delete', { reason }).catch((error: unknown) => {
      // Every other state allows it, so another delete came first.
      if (!(error instanceof ServerStateConflictError)) throw error;
    });
  }

  /** Keeps members from changing a server. An owner's lock does not replace another. */
  async lock(ctx: RequestContext, server: Server, reason: string | null): Promise<void> {
    const lockedBy = lockerOf(ctx, server);
    if (server.lockedBy !== null && lockedBy === 'owner') return;
    await this.#setLock(ctx, server, { lockedBy, lockedReason: reason }, 'lock');
  }

  async unlock(ctx: RequestContext, server: Server): Promise<void> {
    await this.#setLock(ctx, server, { lockedBy: null, lockedReason: null }, 'unlock');
  }

  /**
   * Raises an event and nudges the worker, in one transaction.
   * @param action for messages and the server's history
   * @throws ServerStateConflictError if its state does not allow the event
   * @throws ServerLockedError for members, if it is locked
   */
  async change(
    ctx: RequestContext,
    server: Server,
    event: ServerEvent,
    action: string,
    { evenLocked = false, ...changes }: ServerChanges = {},
  ): Promise<void> {
    if (!evenLocked) requireUnlocked(ctx, server);
    await inTransaction(ctx, async (tx) => {
      const deadline = deadlineOf(event, server, this.config);
      const options = { ...changes, ...(deadline === undefined ? {} : { deadline }) };
      const moved = await transition(tx, serverStates, server.id, event, options).catch(wrongState);
      // Read again: the server may have a host, or another state, by now.
      const now = (await this.servers.find(tx, server.id)) ?? server;
      if (moved === undefined) throw conflictOf(action, now, serverStates.events[event].from);
      await recordAction(tx, [server.id], action);
      await nudgeServer(tx, now);
    });
  }

  #setLock(
    ctx: RequestContext,
    { id }: Server,
    lock: Pick<Server, 'lockedBy' | 'lockedReason'>,
    action: string,
  ): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      await this.servers.setLock(tx, id, lock);
      await recordAction(tx, [id], action);
    });
  }
}

/** For sweeps: a server that has changed since it was read is left alone. */
export async function moveUnlessSuperseded(
  ctx: RequestContext,
  { id, host, generation }: Server,
  event: ServerEvent,
  action: string,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await transition(tx, serverStates, id, event, { only: { generation } });
    await recordAction(tx, [id], action);
    await nudgeServer(tx, { id, host });
  }).catch((error: unknown) => {
    if (!(error instanceof SupersededError)) throw error;
  });
}

/** Returns undefined if the row's state does not allow the event. */
function wrongState(error: unknown): undefined {
  if (!(error instanceof WrongStateError)) throw error;
}

/** The row is locked, so that concurrent changes are all kept. */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DEFAULT_ZONE } from '../hosts/host.entity.js';
import { requireUnlocked, statusOf } from './server-status.js';
import type { Server } from './server.entity.js';
import {
  ServerNotFoundError,
  ServerStateConflictError,
  ZonePinConflictError,
} from './server.errors.js';
import { type UpdateServerDto, shortestIpv6 } from './server.dto.js';
import { ServerRepository } from './server.repository.js';
import { refuseTooNew } from './versioned-properties.js';

/** States in which attributes can be changed. */
const VM_STATES: readonly string[] = ['active', 'paused', 'suspended', 'stopped'];

interface ChangeOptions {
  /** Nova's name in refusals: `update metadata`. */
  readonly action: string;
  /** Whether a task or a lock forbids the change. */
  readonly settled: boolean;
}

@Injectable()
export class ServerAttributes {
  constructor(private readonly servers: ServerRepository) {}

  /** Public source: Nova API reference, "Update Server". */
  update(ctx: RequestContext, id: string, dto: UpdateServerDto): Promise<Server> {
    refuseTooNew(ctx, dto);
    const { name, description, hostname, accessIPv4: accessIpV4, accessIPv6 } = dto;
    const accessIpV6 = accessIPv6 === undefined ? undefined : shortestIpv6(accessIPv6);
    const changed = { name, description, hostname, accessIpV4, accessIpV6 };
    const given = Object.entries({ ...changed, diskConfig: dto['OS-DCF:diskConfig'] });
    const columns = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    return this.change(ctx, id, undefined, (server) => ({
      ...columns,
      ...pinOf(server, dto.pinned_availability_zone),
    }));
  }

  /**
   * @param options for a change that some states do not allow
   * @param change the changed columns
   * @returns the row as it is now
   * @throws ServerNotFoundError also for a server of another project
   * @throws ServerStateConflictError
   */
  async change(
    ctx: RequestContext,
    id: string,
    options: ChangeOptions | undefined,
    change: (server: Server, tx: RequestContext) => Partial<Server> | Promise<Partial<Server>>,
  ): Promise<Server> {
    const server = isUuid(id) ? await this.servers.visible(ctx, id) : undefined;
    if (!server) throw new ServerNotFoundError(id);
    return inTransaction(ctx, async (tx) => {
      const locked = await this.servers.lock(tx, server.id);
      if (options?.settled) requireUnlocked(ctx, locked);
      if (options) checkState(locked, options);
      return this.servers.update(tx, server.id, await change(locked, tx));
    });
  }
}

/** @throws ZonePinConflictError for another zone, or while it is pinned to another */
function pinOf(server: Server, wanted: string | null | undefined): Partial<Server> {
  const { zone: pinned, ...others } = server.scheduling;
  if (wanted === undefined || wanted === (pinned ?? null)) return {};
  if (wanted === null) return { scheduling: others };
  const isThere = server.host !== null && (server.zone ?? DEFAULT_ZONE) === wanted;
  if (pinned !== undefined || !isThere) throw new ZonePinConflictError(server.id, wanted);
  return { scheduling: { ...others, zone: wanted } };
}

/** @throws ServerStateConflictError */
function checkState(server: Server, { action, settled }: ChangeOptions): void {
  const { vmState, taskState } = statusOf(server);
  if (!VM_STATES.includes(vmState))
    throw new ServerStateConflictError(action, server.id, 'vm_state', vmState);
  if (settled && taskState !== null)
    throw new ServerStateConflictError(action, server.id, 'task_state', taskState);
}

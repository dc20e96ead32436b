/**
 * Events of sister services go to the worker of the server's host, so those of servers without a
 * host are refused. Public source: nova, `api/openstack/compute/server_external_events.py`.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { hasten } from '@cumulet/common/jobs/nudge';
import { LOGGER } from '@cumulet/common/service/tokens';
import { NicReconciler } from '../nics/nic.reconciler.js';
import { NicRepository } from '../nics/nic.repository.js';
import { ServerRepository } from '../servers/server.repository.js';
import type { ServerExternalEventDto } from './server-external-event.dto.js';

/** An event in the answer. */
interface Judged extends Pick<ServerExternalEventDto, 'name' | 'server_uuid' | 'tag'> {
  readonly status: 'completed' | 'failed';
  readonly code: 200 | 404 | 422;
}

@Injectable()
export class ServerExternalEventsService {
  constructor(
    private readonly servers: ServerRepository,
    private readonly nics: NicRepository,
    private readonly nicReconciler: NicReconciler,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns each event with its outcome, in the same order */
  async accept(ctx: RequestContext, events: readonly ServerExternalEventDto[]): Promise<Judged[]> {
    const ids = events.map(({ server_uuid }) => server_uuid);
    const hosts = await this.servers.hostsOf(ctx, ids);
    const answered = events.map(({ name, server_uuid, status = 'completed', tag }): Judged => {
      const host = hosts.get(plain(server_uuid));
      const code = host === undefined ? 404 : host === null ? 422 : 200;
      this.logger[code === 200 ? 'info' : 'debug'](
        { requestId: ctx.requestId, server: server_uuid, event: name, status, tag, host, code },
        code === 200 ? 'accepted an external event' : 'dropped an external event',
      );
      return {
        name,
        server_uuid,
        code,
        status: code === 200 ? 'completed' : 'failed',
        ...(tag === undefined ? {} : { tag }),
      };
    });
    await this.#look(
      ctx,
      answered.filter(({ code }) => code === 200),
    );
    return answered;
  }

  /** Any event is a reason to look at the port. */
  async #look(ctx: RequestContext, events: readonly Judged[]): Promise<void> {
    const ports = events.flatMap(({ tag = '' }) => (isUuid(tag) ? [tag] : []));
    const nics = await this.nics.withPorts(ctx, [...new Set(ports)]);
    for (const nic of nics) await this.nicReconciler.look(ctx, nic);
    // Servers that wait for their ports continue at once.
    await hasten(
      ctx,
      'server',
      nics.map(({ serverId }) => serverId),
    );
  }
}

/** Callers may write an ID without dashes, and in capitals. */
function plain(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

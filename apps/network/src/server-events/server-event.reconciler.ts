/**
 * Delivers events to compute. Always holds: one process at a time delivers, the oldest first, so
 * that compute gets the events of a port in order. Events that arrive meanwhile are delivered in
 * the same turn; after a crash, compute may get an event twice.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { withFreeSessionLock } from '@cumulet/common/database/advisory-lock';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { phase } from '@cumulet/common/reconcile/reconciler';
import type { Plan, Reconciler, Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { LOGGER } from '@cumulet/common/service/tokens';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { COMPUTE, type Compute } from '../compute.port.js';
import { ServerEvent } from './server-event.entity.js';
import { serverEventStates } from './server-event.states.js';
import type { ServerEventEvent, ServerEventState } from './server-event.states.js';

export const serverEvents = new Table(ServerEvent, {
  missing: () => new DomainError('not-found', 'The event is not waiting.'),
});

/** The maximum number of events in one request to compute. */
const BATCH = 100;
/** Milliseconds between checks whether the delivering process has delivered this event, too. */
const TURN_MS = 250;

@Reconciles(() => [{ tasks: ['server_event'], concurrency: 1 }])
@Injectable()
export class ServerEventReconciler implements Reconciler<
  ServerEvent,
  ServerEventState,
  ServerEventEvent
> {
  readonly states = serverEventStates;
  readonly plans: Partial<Record<ServerEventState, Plan<ServerEvent, ServerEventEvent>>> = {
    waiting: { phases: [phase('tell', (scope) => this.tell(scope))] },
  };

  constructor(
    @Inject(COMPUTE) private readonly compute: Compute | undefined,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  taskOf(): string {
    return 'server_event';
  }

  load(ctx: RequestContext, id: string): Promise<ServerEvent | undefined> {
    return serverEvents.find(ctx, id);
  }

  async ended(tx: RequestContext, id: string): Promise<void> {
    await serverEvents.deleteAll(tx, [equals('id', id)]);
  }

  private async tell(scope: Scope<ServerEvent>): Promise<Wait | undefined> {
    const delivered = new Set<string>();
    const { dataSource } = scope.ctx.manager;
    await withFreeSessionLock(dataSource, 'server-events', async () => {
      const oldest = `ORDER BY created_at, id LIMIT ${BATCH}`;
      const events = await serverEvents.select(scope.ctx, [equals('state', 'waiting')], oldest);
      const ids = events.map(({ id }) => id);
      if (events.length > 0) await this.send(scope, events);
      await serverEvents.deleteAll(scope.ctx, [oneOf('id', ids)]);
      for (const id of ids) delivered.add(id);
    });
    return delivered.has(scope.row.id) ? undefined : { waitMs: TURN_MS };
  }

  /** @throws ServiceUnavailableError if delivery is to be retried */
  private async send(
    { ctx, signal }: Scope<ServerEvent>,
    events: readonly ServerEvent[],
  ): Promise<void> {
    const codes = await this.compute?.sendEvents(asService(ctx), events, signal);
    for (const [at, { serverId, portId, name }] of events.entries()) {
      const code = codes?.[at];
      if (code !== undefined && code !== 200)
        this.logger.warn({ serverId, portId, name, code }, 'compute did not accept an event');
    }
  }
}

@Feature({ providers: [ServerEventReconciler], entities: [ServerEvent] })
export class ServerEventsModule {}

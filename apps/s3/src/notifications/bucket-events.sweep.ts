/**
 * Tells webhooks of events.
 *
 * Always holds: an event stays until its webhook has taken it, at least once, or until it is a day
 * old. A webhook that fails is left alone for longer each time, with all that it is to be told, and
 * keeps no other waiting.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { BucketEvent } from './bucket-event.entity.js';
import { BucketEventRepository, type DueEvent } from './bucket-event.repository.js';
import { BucketEvents } from './bucket-events.js';
import type { EventRecord } from './event-record.js';
import { Webhook } from './webhook.js';

const AT_ONCE = { webhooks: 32, events: 100 };
const GIVEN_UP_SECONDS = 86_400;
const MIN_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 3_600;

@Injectable()
export class BucketEventsSweep {
  readonly #delivered: ReturnType<Metrics['counter']>;
  readonly #givenUp: ReturnType<Metrics['counter']>;

  constructor(
    private readonly events: BucketEventRepository,
    private readonly webhook: Webhook,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#delivered = metrics.counter('s3_events_told_total', 'Events delivered to webhooks.');
    this.#givenUp = metrics.counter(
      's3_events_given_up_total',
      'Events dropped because their webhooks did not accept them for a day.',
    );
  }

  @SweepEvery(1_000, 'bucket-events')
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const givenUp = await this.events.giveUp(ctx, GIVEN_UP_SECONDS);
    this.#givenUp.inc(givenUp);
    if (givenUp > 0)
      this.logger.warn(
        { events: givenUp },
        'events were dropped: their webhooks did not accept them for a day',
      );
    for (;;) {
      const due = await this.events.due(ctx, AT_ONCE);
      if (due.length === 0 || stopping.aborted) return;
      const urls = [...new Set(due.map(({ url }) => url))];
      await Promise.all(
        urls.map((url) => {
          const events = due.filter((event) => event.url === url);
          return this.#deliver(ctx, url, events, stopping);
        }),
      );
    }
  }

  async #deliver(
    ctx: RequestContext,
    url: string,
    events: readonly DueEvent[],
    stopping: AbortSignal,
  ): Promise<void> {
    for (const { id, record, createdAt } of events) {
      if (stopping.aborted) return;
      const failure = await this.#failureOf(url, record, stopping);
      if (failure !== undefined) {
        const seconds = pauseAfter(createdAt, new Date());
        const { host } = new URL(url);
        this.logger.warn({ err: failure, host, seconds }, 'a webhook did not accept an event');
        return this.events.postpone(ctx, url, seconds);
      }
      await this.events.delete(ctx, [id]);
      this.#delivered.inc();
    }
  }

  async #failureOf(url: string, record: EventRecord, stopping: AbortSignal): Promise<unknown> {
    try {
      await this.webhook.post(url, record, stopping);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

/** Exponential backoff: the age of the event. @returns seconds */
function pauseAfter(createdAt: Date, now: Date): number {
  const age = (now.getTime() - createdAt.getTime()) / 1000;
  return Math.min(Math.max(age, MIN_PAUSE_SECONDS), MAX_PAUSE_SECONDS);
}

@Feature({
  entities: [BucketEvent],
  providers: [BucketEventRepository, BucketEvents, BucketEventsSweep, Webhook],
})
export class NotificationsModule {}

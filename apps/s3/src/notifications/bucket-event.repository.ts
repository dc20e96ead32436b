/** Events that are still to be delivered. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { BucketEvent } from './bucket-event.entity.js';

export type DueEvent = Pick<BucketEvent, 'id' | 'url' | 'record' | 'createdAt'>;

@Injectable()
export class BucketEventRepository {
  async insert(
    tx: RequestContext,
    events: readonly Pick<BucketEvent, 'url' | 'record'>[],
  ): Promise<void> {
    await preparedRows(
      tx.manager,
      `INSERT INTO bucket_events (url, record)
       SELECT one->>'url', one->'record' FROM jsonb_array_elements($1::jsonb) AS one`,
      [JSON.stringify(events)],
    );
  }

  /**
   * The oldest events that are due, of as many webhooks.
   * @param limits how many webhooks, and how many events of each
   */
  due(
    ctx: RequestContext,
    { webhooks, events }: { readonly webhooks: number; readonly events: number },
  ): Promise<DueEvent[]> {
    // A skip scan over webhooks, so that the backlog of one does not delay the others.
    return preparedRows<DueEvent>(
      ctx.manager,
      `WITH RECURSIVE urls AS (
         (SELECT url FROM bucket_events WHERE due_at <= now() ORDER BY url LIMIT 1)
         UNION ALL
         SELECT (SELECT url FROM bucket_events
                  WHERE url > urls.url AND due_at <= now() ORDER BY url LIMIT 1)
           FROM urls WHERE urls.url IS NOT NULL
       )
       SELECT due.id, due.url, due.record, due.created_at AS "createdAt"
         FROM (SELECT url FROM urls WHERE url IS NOT NULL ORDER BY random() LIMIT $1) AS chosen
        CROSS JOIN LATERAL (
          SELECT * FROM bucket_events
           WHERE url = chosen.url AND due_at <= now() ORDER BY id LIMIT $2
        ) AS due
        ORDER BY due.id`,
      [webhooks, events],
    );
  }

  async delete(ctx: RequestContext, ids: readonly string[]): Promise<void> {
    await preparedRows(
      ctx.manager,
      `DELETE FROM bucket_events WHERE id IN (
         SELECT id FROM bucket_events WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE)`,
      [ids],
    );
  }

  /** Postpones all events of a webhook. */
  async postpone(ctx: RequestContext, url: string, seconds: number): Promise<void> {
    await preparedRows(
      ctx.manager,
      `UPDATE bucket_events SET due_at = now() + make_interval(secs => $2)
        WHERE id IN (SELECT id FROM bucket_events
                      WHERE url = $1 AND due_at < now() + make_interval(secs => $2)
                      ORDER BY id FOR UPDATE)`,
      [url, seconds],
    );
  }

  /** Deletes events this old. @returns their number */
  async giveUp(ctx: RequestContext, seconds: number): Promise<number> {
    const rows = await preparedRows(
      ctx.manager,
      `DELETE FROM bucket_events WHERE id IN (
         SELECT id FROM bucket_events WHERE created_at < now() - make_interval(secs => $1)
          ORDER BY id FOR UPDATE)
       RETURNING id`,
      [seconds],
    );
    return rows.length;
  }
}

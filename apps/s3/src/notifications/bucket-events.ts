/**
 * Delivers events of buckets to their configured webhooks.
 *
 * Always holds: an event is stored by the transaction that causes it, so events are neither invented
 * nor lost.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import type { Bucket, NotificationRule } from '../buckets/bucket.entity.js';
import { BucketEventRepository } from './bucket-event.repository.js';
import {
  eventRecordOf,
  groupOf,
  webhookOf,
  type EventName,
  type HappenedEvent,
} from './event-record.js';

@Injectable()
export class BucketEvents {
  constructor(private readonly events: BucketEventRepository) {}

  /** Whether a rule matches; if not, `emit` does nothing. */
  concerns(bucket: Bucket, name: EventName, key: string): boolean {
    return rulesFor(bucket, name, key).length > 0;
  }

  async emit(tx: RequestContext, bucket: Bucket, event: HappenedEvent): Promise<void> {
    const rules = rulesFor(bucket, event.name, event.key);
    if (rules.length === 0) return;
    const source = {
      requestId: tx.requestId,
      principalId: tx.fields.projectId ?? tx.userId,
      clientAddress: tx.fields.clientAddress,
      at: new Date(),
    };
    await this.events.insert(
      tx,
      rules.flatMap(({ id, arn }) => {
        const url = webhookOf(arn);
        return url ? [{ url: url.href, record: eventRecordOf(bucket, event, source, id) }] : [];
      }),
    );
  }
}

function rulesFor(
  { configurations }: Pick<Bucket, 'configurations'>,
  name: EventName,
  key: string,
): readonly NotificationRule[] {
  const { notification = [] } = configurations;
  return notification.filter(
    ({ events, prefix = '', suffix = '' }) =>
      (events.includes(name) || events.includes(groupOf(name))) &&
      key.startsWith(prefix) &&
      key.endsWith(suffix),
  );
}

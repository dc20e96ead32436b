/** Which rules of a bucket want to hear of an event. Pure. */
import type { Bucket } from '../buckets/bucket.entity.js';
import { groupOf, type EventName } from './event-name.js';
import type { NotificationRule } from './notification-rule.js';

export function rulesFor(
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

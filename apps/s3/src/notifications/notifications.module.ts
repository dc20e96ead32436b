/** Notifications of what happens in buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { BucketEvent } from './bucket-event.entity.js';
import { BucketEventRepository } from './bucket-event.repository.js';
import { BucketEvents } from './bucket-events.js';

@Feature({ entities: [BucketEvent], providers: [BucketEventRepository, BucketEvents] })
export class NotificationsModule {}

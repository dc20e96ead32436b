/** Notifications of what happens in buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { BucketEvent } from './bucket-event.entity.js';
import { BucketEventRepository } from './bucket-event.repository.js';
import { BucketEvents } from './bucket-events.js';
import { BucketEventsSweep } from './bucket-events.sweep.js';
import { Webhook } from './webhook.js';

@Feature({
  entities: [BucketEvent],
  providers: [BucketEventRepository, BucketEvents, BucketEventsSweep, Webhook],
})
export class NotificationsModule {}

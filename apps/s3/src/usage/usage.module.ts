/** What buckets come to. */
import { Feature } from '@cumulet/common/service/feature';
import { BucketUsage } from './bucket-usage.entity.js';

@Feature({ entities: [BucketUsage] })
export class UsageModule {}

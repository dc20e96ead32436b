/** Buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { Bucket } from './bucket.entity.js';

@Feature({ entities: [Bucket] })
export class BucketsModule {}

/** Buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { Bucket } from './bucket.entity.js';
import { BucketRepository } from './bucket.repository.js';
import { CreateBucket } from './create-bucket.operation.js';

@Feature({ entities: [Bucket], providers: [BucketRepository, CreateBucket] })
export class BucketsModule {}

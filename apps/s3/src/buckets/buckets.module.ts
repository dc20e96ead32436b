/** Buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { Bucket } from './bucket.entity.js';
import { BucketRepository } from './bucket.repository.js';
import { CreateBucket } from './create-bucket.operation.js';
import { DeleteBucket } from './delete-bucket.operation.js';
import { GetBucketLocation } from './get-bucket-location.operation.js';
import { GetBucketVersioning } from './get-bucket-versioning.operation.js';
import { HeadBucket } from './head-bucket.operation.js';
import { ListBuckets } from './list-buckets.operation.js';
import { PutBucketVersioning } from './put-bucket-versioning.operation.js';

const operations = [
  CreateBucket,
  DeleteBucket,
  GetBucketLocation,
  GetBucketVersioning,
  HeadBucket,
  ListBuckets,
  PutBucketVersioning,
];

@Feature({ entities: [Bucket], providers: [BucketRepository, ...operations] })
export class BucketsModule {}

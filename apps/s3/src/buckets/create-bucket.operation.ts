/** Public source: Amazon S3 API reference, "CreateBucket". */
import { Inject, Injectable } from '@nestjs/common';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { S3Config } from '../config.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { Handles } from '../operations/handles.js';
import type { Operation, S3Call } from '../operations/operation.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { FIRST_REGION } from './bucket-region.js';
import { requireBucketName } from './bucket-name.js';
import { BucketRepository, type NewBucket } from './bucket.repository.js';
import { newBucketOf } from './new-bucket.js';

@Injectable()
@Handles('CreateBucket')
export class CreateBucket implements Operation<S3Call> {
  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    private readonly buckets: BucketRepository,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @throws S3Error InvalidBucketName, BucketAlreadyExists, BucketAlreadyOwnedByYou, and what
   * `newBucketOf` throws
   */
  async run(call: S3Call): Promise<S3Answer> {
    const { ctx, caller, request } = call;
    const { name = '', projectId } = request.address.bucket ?? {};
    if (caller.kind === 'anonymous' || (projectId ?? caller.projectId) !== caller.projectId)
      throw new S3Error('AccessDenied');
    requireBucketName(name);
    const named = { name, projectId: asId<ProjectId>(caller.projectId) };
    const bucket = await newBucketOf(call, named, this.config.region);
    await inTransaction(ctx, (tx) => this.#create(tx, bucket));
    return { headers: { location: `/${name}` } };
  }

  async #create(tx: RequestContext, bucket: NewBucket): Promise<void> {
    const { name, projectId } = bucket;
    if (this.config.namespace === 'global') {
      const taken = await this.buckets.claimName(tx, name);
      if (taken && taken.projectId !== projectId) throw alreadyThere('BucketAlreadyExists', name);
      // Where Amazon lets an owner create a bucket again, which changes nothing.
      if (taken?.region === FIRST_REGION) return;
      if (taken) throw alreadyThere('BucketAlreadyOwnedByYou', name);
    }
    await this.#admit(tx, bucket);
    if (!(await this.buckets.create(tx, bucket))) throw alreadyThere('BucketAlreadyExists', name);
  }

  /** A project that may have no more buckets is told of the one that it has rather than of that. */
  async #admit(tx: RequestContext, bucket: NewBucket): Promise<void> {
    try {
      await this.quotas.admitBucket(tx, bucket.projectId);
    } catch (error) {
      if (!(await this.buckets.has(tx, bucket))) throw error;
      throw alreadyThere('BucketAlreadyExists', bucket.name);
    }
  }
}

function alreadyThere(
  code: 'BucketAlreadyExists' | 'BucketAlreadyOwnedByYou',
  name: string,
): S3Error {
  return new S3Error(code, { details: { BucketName: name } });
}

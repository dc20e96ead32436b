/**
 * Configurations that no bucket can have: read as Amazon S3 answers where none is configured, and
 * putting one answers `NotImplemented`. Public source: Amazon S3 API reference.
 */
import { type Type } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';
import { S3Error, type ErrorCode } from '../http/s3-error.js';
import { NO_CONTENT, xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { XmlTree } from '../http/xml.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import type { OperationName } from '../operations/operations.js';
import { LIFECYCLE } from './lifecycle.page.js';
import { NOTIFICATION } from './notification.page.js';
import { WEBSITE } from './website.page.js';
import { operationsOf } from './configuration.operations.js';
import { CORS } from './cors.page.js';
import { ENCRYPTION } from './encryption.page.js';
import {
  GetObjectLockConfiguration,
  PutObjectLockConfiguration,
} from './object-lock.operations.js';
import { OWNERSHIP, PUBLIC_ACCESS_BLOCK, REQUEST_PAYMENT, TAGGING } from './short.pages.js';

type Answered =
  | { readonly code: ErrorCode }
  | { readonly root: string; readonly tree: XmlTree }
  | 'nothing';

const NONE: Answered = { code: 'NoSuchConfiguration' };

const ANSWERS: Readonly<Partial<Record<OperationName, Answered>>> = {
  GetBucketAccelerateConfiguration: { root: 'AccelerateConfiguration', tree: {} },
  GetBucketReplication: { code: 'ReplicationConfigurationNotFoundError' },
  DeleteBucketReplication: 'nothing',
  GetBucketAnalyticsConfiguration: NONE,
  DeleteBucketAnalyticsConfiguration: NONE,
  ListBucketAnalyticsConfigurations: listing('ListBucketAnalyticsConfigurationResult'),
  GetBucketIntelligentTieringConfiguration: NONE,
  DeleteBucketIntelligentTieringConfiguration: NONE,
  ListBucketIntelligentTieringConfigurations: listing(
    'ListBucketIntelligentTieringConfigurationsOutput',
  ),
  GetBucketInventoryConfiguration: NONE,
  DeleteBucketInventoryConfiguration: NONE,
  ListBucketInventoryConfigurations: listing('ListInventoryConfigurationsResult'),
  GetBucketMetricsConfiguration: NONE,
  DeleteBucketMetricsConfiguration: NONE,
  ListBucketMetricsConfigurations: listing('ListMetricsConfigurationsResult'),
};

export const UNCONFIGURED: readonly Type<Operation>[] = Object.entries(ANSWERS).map(
  ([name, answered]) => answering(name as OperationName, answered),
);

function listing(root: string): Answered {
  return { root, tree: { IsTruncated: false } };
}

function answering(name: OperationName, answered: Answered): Type<Operation> {
  @Handles(name)
  class Unconfigured implements Operation<BucketCall> {
    run({ bucket }: BucketCall): Promise<S3Answer> {
      if (answered === 'nothing') return Promise.resolve(NO_CONTENT);
      if ('root' in answered) return Promise.resolve(xmlAnswer(answered.root, answered.tree));
      throw new S3Error(answered.code, { details: { BucketName: bucket.name } });
    }
  }
  return Unconfigured;
}

@Feature({
  providers: [
    ...operationsOf(CORS),
    ...operationsOf(ENCRYPTION),
    ...operationsOf(LIFECYCLE),
    ...operationsOf(NOTIFICATION),
    ...operationsOf(OWNERSHIP),
    ...operationsOf(PUBLIC_ACCESS_BLOCK),
    ...operationsOf(REQUEST_PAYMENT),
    ...operationsOf(TAGGING),
    ...operationsOf(WEBSITE),
    GetObjectLockConfiguration,
    PutObjectLockConfiguration,
    ...UNCONFIGURED,
  ],
})
export class ConfigurationsModule {}

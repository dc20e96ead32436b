/**
 * Buckets as types use them. Public source: Amazon S3 API Reference.
 *
 * Always holds: each step may be done again: a bucket that is there is made, one that is gone is removed.
 */
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  HeadBucketCommand,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  PutBucketAclCommand,
  PutBucketTaggingCommand,
  PutBucketWebsiteCommand,
  S3Client,
  S3ServiceException,
  type BucketCannedACL,
  type WebsiteConfiguration,
} from '@aws-sdk/client-s3';
import { DomainError, UnavailableError } from '@cumulet/common/errors/domain-error';
import { ServiceMissingError } from '../resource-type.errors.js';
import type { ResourceScope } from '../resource-type.js';
import { signingKeyOf } from './access-key.js';

const CONNECT_MS = 2_000;
const ANSWER_MS = 30_000;

export interface NewBucket {
  readonly acl: BucketCannedACL;
  readonly tags: Readonly<Record<string, string>>;
  readonly website?: WebsiteConfiguration | undefined;
}

export interface BucketUse {
  readonly objects: number;
  readonly bytes: number;
}

/** S3 said no, in its own words. */
export class BucketError extends DomainError {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super('unprocessable', `The s3 service refused: ${message}`);
  }
}

export class Buckets {
  private constructor(private readonly client: S3Client) {}

  /** @throws ServiceMissingError, NoTrustError */
  static async use<T>(scope: ResourceScope, work: (buckets: Buckets) => Promise<T>): Promise<T> {
    const client = new S3Client({
      endpoint: s3UrlOf(scope),
      region: 'us-east-1',
      credentials: await signingKeyOf(scope),
      forcePathStyle: true,
      maxAttempts: 2,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
    });
    try {
      return await work(new Buckets(client));
    } catch (error) {
      throw translated(error);
    } finally {
      client.destroy();
    }
  }

  async make(bucket: string, { acl, tags, website }: NewBucket): Promise<void> {
    await this.client
      .send(new CreateBucketCommand({ Bucket: bucket }))
      .catch(except('BucketAlreadyOwnedByYou'));
    await this.client.send(new PutBucketAclCommand({ Bucket: bucket, ACL: acl }));
    const tagSet = Object.entries(tags).map(([key, value]) => ({ Key: key, Value: value }));
    if (tagSet.length > 0)
      await this.client.send(
        new PutBucketTaggingCommand({ Bucket: bucket, Tagging: { TagSet: tagSet } }),
      );
    if (website)
      await this.client.send(
        new PutBucketWebsiteCommand({ Bucket: bucket, WebsiteConfiguration: website }),
      );
  }

  async isThere(bucket: string): Promise<boolean> {
    const answer = await this.client
      .send(new HeadBucketCommand({ Bucket: bucket }))
      .catch(except('NotFound', 'NoSuchBucket'));
    return answer !== undefined;
  }

  /** @throws BucketError with the code BucketNotEmpty */
  async remove(bucket: string): Promise<void> {
    await this.client
      .send(new DeleteBucketCommand({ Bucket: bucket }))
      .catch(except('NoSuchBucket'));
  }

  /** Deletes up to a thousand of its objects, each version of them. */
  async purge(bucket: string): Promise<void> {
    const page = await this.client
      .send(new ListObjectVersionsCommand({ Bucket: bucket }))
      .catch(except('NoSuchBucket'));
    const found = [...(page?.Versions ?? []), ...(page?.DeleteMarkers ?? [])].map(
      ({ Key, VersionId }) => ({ Key, VersionId }),
    );
    if (found.length > 0)
      await this.client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: found, Quiet: true } }),
      );
  }

  async useOf(bucket: string): Promise<BucketUse> {
    let [objects, bytes] = [0, 0];
    for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket: bucket }))
      for (const { Size = 0 } of page.Contents ?? []) {
        objects += 1;
        bytes += Size;
      }
    return { objects, bytes };
  }
}

/** @throws ServiceMissingError */
export function s3UrlOf({ services }: ResourceScope): string {
  if (services.s3Url === undefined) throw new ServiceMissingError('s3');
  return services.s3Url;
}

/** Names are those of hosts: 3 to 63 lower-case letters, digits and hyphens. */
export function bucketNameOf(scope: ResourceScope): string {
  return scope
    .physicalName(63)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-');
}

function except(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof S3ServiceException && codes.includes(error.name)) return undefined;
    throw error;
  };
}

function translated(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 500;
    if (status < 500 && status !== 429) return new BucketError(error.name, error.message);
  }
  return new UnavailableError('The s3 service cannot be reached at present.', { cause: error });
}

/**
 * Bucket operations of types. Public source: Amazon S3 API Reference.
 *
 * Always holds: each step is repeatable: creating an existing bucket and deleting a missing one
 * succeed.
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
import { trusted } from '@cumulet/common/tls/tls';
import { DomainError, UnavailableError, errorOf } from '@cumulet/common/errors/domain-error';
import { asObject, asObjects, asText } from '../property-values.js';
import { ServiceMissingError } from '../resource-type.errors.js';
import type { ResourceScope } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';

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

/** S3 refused, with its own message. */
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
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        httpsAgent: trusted(),
      },
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

  /** Deletes up to a thousand objects, with all their versions. */
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

/** A valid host name: 3 to 63 lower-case letters, digits and hyphens. */
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

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export class NoTrustError extends errorOf(
  'unprocessable',
  'Buckets are worked on with a key of the trust that the owner of a stack gave, and this stack has none.',
) {}

/**
 * The access key that signs requests to S3 for the owner of a stack.
 * Public source: Identity API reference, "OS-EC2".
 *
 * Always holds: it belongs to the stack's trust, with its rights and its lifetime. An action has a
 * trust and so a key of its own, while work in progress uses the former. Only identity stores it;
 * concurrent and repeated creations return the same.
 *
 * @throws NoTrustError
 */
export async function signingKeyOf(scope: ResourceScope): Promise<SigningKey> {
  const { actor, stack, services, signal } = scope;
  if (actor.as !== 'trustor') throw new NoTrustError();
  const { trustId } = actor;
  const calls = new ServiceCalls(scope, 'identity');
  const { trust } = await calls.get(`/v3/OS-TRUST/trusts/${part(trustId)}`);
  const owner = part(asText(asObject(trust)?.['trustor_user_id']));
  const path = `/v3/users/${owner}/credentials/OS-EC2`;
  const { credentials } = await calls.get(path);
  const known = asObjects(credentials).find(({ trust_id: of }) => of === trustId);
  if (known) return signingKey(known);
  const json = { tenant_id: stack.projectId };
  // Of the trust, because several resources may create it at the same time.
  const idempotencyKey = `access-key-of-${trustId}`;
  const made = await services.identity.create({ actor, signal, path, json, idempotencyKey });
  return signingKey(asObject(asObject(made.body)?.['credential']));
}

function signingKey(shown: ReturnType<typeof asObject>): SigningKey {
  return { accessKeyId: asText(shown?.['access']), secretAccessKey: asText(shown?.['secret']) };
}

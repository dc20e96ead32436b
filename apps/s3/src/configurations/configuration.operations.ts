/**
 * The sub-resources of buckets that are XML in and XML out: a page declares one, and its operations
 * follow from that.
 */
import { type Type } from '@nestjs/common';
import type { Bucket, ConfigurationKind, Configurations } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { S3Error, type ErrorCode } from '../http/s3-error.js';
import { NO_CONTENT, xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { XmlElement, XmlTree } from '../http/xml.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import type { OperationName } from '../operations/operations.js';
import { xmlOf } from '../operations/read-document.js';

export type Configured<Kind extends ConfigurationKind> = NonNullable<Configurations[Kind]>;

export interface ConfigurationPage<Kind extends ConfigurationKind = ConfigurationKind> {
  readonly kind: Kind;
  readonly root: string;
  readonly operations: {
    readonly get: OperationName;
    /** Absent where it would have no effect: it then answers `NotImplemented`. */
    readonly put?: OperationName;
    readonly delete?: OperationName;
  };
  /**
   * @returns null to remove the configuration
   * @throws S3Error MalformedXML, and the page's other errors
   */
  parse(document: XmlElement, bucket: Bucket): Configured<Kind> | null;
  show(value: Configured<Kind>): XmlTree;
  /** The error, or the document, of reading it where nothing is configured. */
  readonly absent: ErrorCode | { readonly shown: XmlTree };
  /** 200 by default. */
  readonly putStatus?: number;
  /** Headers of the answers to reading and putting it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The operations that read, put and delete a page's configuration.
 * @returns providers that handle the page's operations
 */
export function operationsOf<Kind extends ConfigurationKind>(
  page: ConfigurationPage<Kind>,
): Type<Operation>[] {
  const { operations } = page;
  return [
    reading(page),
    ...(operations.put === undefined ? [] : [putting(page, operations.put)]),
    ...(operations.delete === undefined ? [] : [deleting(page.kind, operations.delete)]),
  ];
}

function reading<Kind extends ConfigurationKind>(page: ConfigurationPage<Kind>): Type<Operation> {
  @Handles(page.operations.get)
  class GetConfiguration implements Operation<BucketCall> {
    run({ bucket }: BucketCall): Promise<S3Answer> {
      const value = bucket.configurations[page.kind] as Configured<Kind> | undefined;
      const { root, headers = {} } = page;
      return Promise.resolve(xmlAnswer(root, shownOf(page, value, bucket.name), { headers }));
    }
  }
  return GetConfiguration;
}

function shownOf<Kind extends ConfigurationKind>(
  page: ConfigurationPage<Kind>,
  value: Configured<Kind> | undefined,
  bucket: string,
): XmlTree {
  if (value !== undefined) return page.show(value);
  if (typeof page.absent === 'object') return page.absent.shown;
  throw new S3Error(page.absent, { details: { BucketName: bucket } });
}

function putting<Kind extends ConfigurationKind>(
  page: ConfigurationPage<Kind>,
  name: NonNullable<ConfigurationPage['operations']['put']>,
): Type<Operation> {
  @Handles(name)
  class PutConfiguration implements Operation<BucketCall> {
    constructor(private readonly buckets: BucketRepository) {}

    async run(call: BucketCall): Promise<S3Answer> {
      const { ctx, bucket } = call;
      const value = page.parse(await xmlOf(call, page.root), bucket);
      if (!(await this.buckets.configure(ctx, bucket, page.kind, value))) throw goneError(bucket);
      return { status: page.putStatus ?? 200, headers: page.headers ?? {} };
    }
  }
  return PutConfiguration;
}

function deleting(
  kind: ConfigurationKind,
  name: NonNullable<ConfigurationPage['operations']['delete']>,
): Type<Operation> {
  @Handles(name)
  class DeleteConfiguration implements Operation<BucketCall> {
    constructor(private readonly buckets: BucketRepository) {}

    async run({ ctx, bucket }: BucketCall): Promise<S3Answer> {
      if (!(await this.buckets.configure(ctx, bucket, kind, null))) throw goneError(bucket);
      return NO_CONTENT;
    }
  }
  return DeleteConfiguration;
}

/** The bucket was deleted meanwhile. */
export function goneError({ name }: { readonly name: string }): S3Error {
  return new S3Error('NoSuchBucket', { details: { BucketName: name } });
}

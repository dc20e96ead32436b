/** Lists a project's buckets. Public source: Amazon S3 API reference, ListBuckets. */
import { Injectable } from '@nestjs/common';
import { ownerTree } from '../access/acl-document.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import { BucketRepository, type BucketsAsked } from '../buckets/bucket.repository.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { invalidArgument } from '../http/s3-error.js';
import type { S3Query } from '../http/s3-request.js';
import type { XmlTree } from '../http/xml.js';
import { nameOfToken, numberOf, tokenOf } from '../operations/list-parameters.js';
import { Handles, type Operation, type S3Call } from '../operations/operation.js';

const MAX_BUCKETS = 10_000;

@Injectable()
@Handles('ListBuckets')
export class ListBuckets implements Operation<S3Call> {
  constructor(private readonly buckets: BucketRepository) {}

  /** One who is not known has none. @throws S3Error InvalidArgument */
  async run({ ctx, caller, request: { query } }: S3Call): Promise<S3Answer> {
    const asked = askedOf(query);
    const { prefix, limit } = asked;
    if (caller.kind === 'anonymous') return answerOf('anonymous', [], { Prefix: undefined });
    const found = await this.buckets.list(ctx, ctx.projectId, { ...asked, limit: limit + 1 });
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1) : undefined;
    return answerOf(caller.projectId, page, {
      ContinuationToken: next && tokenOf(next.name),
      Prefix: prefix === '' ? undefined : prefix,
    });
  }
}

function askedOf(query: S3Query): BucketsAsked {
  const limit = numberOf(query, 'max-buckets') ?? MAX_BUCKETS;
  if (limit < 1 || limit > MAX_BUCKETS)
    throw invalidArgument(
      'max-buckets',
      limit,
      `Argument max-buckets must be an integer between 1 and ${MAX_BUCKETS}`,
    );
  const region = query.get('bucket-region') ?? '';
  return {
    prefix: query.get('prefix') ?? '',
    after: nameOfToken(query.get('continuation-token') ?? '') ?? '',
    region: region === '' ? undefined : region,
    limit,
  };
}

function answerOf(
  owner: string,
  buckets: readonly Bucket[],
  paging: Readonly<Record<string, XmlTree>>,
): S3Answer {
  return xmlAnswer('ListAllMyBucketsResult', {
    Owner: ownerTree(owner),
    Buckets: {
      Bucket: buckets.map(({ name, createdAt, region }) => ({
        Name: name,
        CreationDate: createdAt,
        BucketRegion: region,
      })),
    },
    ...paging,
  });
}

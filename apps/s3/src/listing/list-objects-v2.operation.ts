/** Lists keys. Public source: Amazon S3 API reference, ListObjectsV2. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { nameOfToken, tokenOf } from './continuation-token.js';
import { listingRequestOf } from './listing-request.js';
import { ListingRepository } from './listing.repository.js';
import { commonPrefixes, frameOf, objectElements, ownerElement, pageOf } from './listing.view.js';

@Injectable()
@Handles('ListObjectsV2')
export class ListObjectsV2 implements Operation<BucketCall> {
  constructor(private readonly listing: ListingRepository) {}

  /** @throws S3Error InvalidArgument */
  async run({ ctx, bucket, request }: BucketCall): Promise<S3Answer> {
    const { query } = request;
    const asked = listingRequestOf(request);
    const startAfter = query.get('start-after');
    const token = query.get('continuation-token');
    const after = (token === undefined ? undefined : nameOfToken(token)) ?? startAfter ?? '';
    const page = await pageOf(asked, (limit) =>
      this.listing.objects(ctx, bucket.id, { ...asked, after, limit }),
    );
    const { encode } = asked;
    const hasOwners = query.get('fetch-owner') === 'true';
    return xmlAnswer('ListBucketResult', {
      ...frameOf(asked, bucket.name, page),
      KeyCount: page.entries.length,
      ContinuationToken: token,
      NextContinuationToken: page.next && tokenOf(page.next.name),
      StartAfter: startAfter === undefined ? undefined : encode(startAfter),
      Contents: page.entries.flatMap(({ name, object }) =>
        object
          ? [
              {
                Key: encode(name),
                ...objectElements(object),
                ...(hasOwners ? ownerElement(object) : {}),
              },
            ]
          : [],
      ),
      ...commonPrefixes(asked, page),
    });
  }
}

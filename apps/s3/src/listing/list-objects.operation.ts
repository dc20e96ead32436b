/** Lists keys. Public source: Amazon S3 API reference, ListObjects. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { listingRequestOf } from './listing-request.js';
import { ListingRepository } from './listing.repository.js';
import { commonPrefixes, frameOf, objectElements, ownerElement, pageOf } from './listing.view.js';

@Injectable()
@Handles('ListObjects')
export class ListObjects implements Operation<BucketCall> {
  constructor(private readonly listing: ListingRepository) {}

  /** @throws S3Error InvalidArgument */
  async run({ ctx, bucket, request }: BucketCall): Promise<S3Answer> {
    const asked = listingRequestOf(request);
    const after = request.query.get('marker') ?? '';
    const page = await pageOf(asked, (limit) =>
      this.listing.objects(ctx, bucket.id, { ...asked, after, limit }),
    );
    const { encode, delimiter } = asked;
    return xmlAnswer('ListBucketResult', {
      ...frameOf(asked, bucket.name, page),
      Marker: encode(after),
      // Without a delimiter, clients go on from the last key.
      NextMarker: page.next && delimiter !== '' ? encode(page.next.name) : undefined,
      Contents: page.entries.flatMap(({ name, object }) =>
        object ? [{ Key: encode(name), ...objectElements(object), ...ownerElement(object) }] : [],
      ),
      ...commonPrefixes(asked, page),
    });
  }
}

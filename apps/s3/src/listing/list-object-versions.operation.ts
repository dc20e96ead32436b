/** Lists versions and delete markers. Public source: Amazon S3 API reference, ListObjectVersions. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { S3Query } from '../http/s3-request.js';
import type { XmlTree } from '../http/xml.js';
import { requireVersionId } from '../objects/version-id.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { invalid, listingRequestOf, type ListingRequest } from './listing-request.js';
import { ListingRepository, type ListedObject, type ListingEntry } from './listing.repository.js';
import { commonPrefixes, frameOf, objectElements, ownerElement, pageOf } from './listing.view.js';

@Injectable()
@Handles('ListObjectVersions')
export class ListObjectVersions implements Operation<BucketCall> {
  constructor(private readonly listing: ListingRepository) {}

  /** @throws S3Error InvalidArgument */
  async run({ ctx, bucket, request }: BucketCall): Promise<S3Answer> {
    const asked = listingRequestOf(request);
    const after = request.query.get('key-marker') ?? '';
    const olderThan = versionMarkerOf(request.query);
    const page = await pageOf(asked, (limit) =>
      this.listing.versions(ctx, bucket.id, { ...asked, after, limit }, olderThan),
    );
    return xmlAnswer('ListVersionsResult', {
      ...frameOf(asked, bucket.name, page),
      KeyMarker: asked.encode(after),
      VersionIdMarker: olderThan ?? '',
      ...nextMarkers(asked, page.next),
      '': page.entries.flatMap(({ name, object }) =>
        object ? [versionElement(asked.encode(name), object)] : [],
      ),
      ...commonPrefixes(asked, page),
    });
  }
}

function versionMarkerOf(query: S3Query): string | undefined {
  const marker = query.get('version-id-marker') ?? '';
  if (marker === '') return undefined;
  if ((query.get('key-marker') ?? '') === '')
    throw invalid(
      'version-id-marker',
      marker,
      'A version-id marker cannot be specified without a key marker.',
    );
  requireVersionId(marker, 'version-id-marker');
  return marker;
}

function nextMarkers({ encode }: ListingRequest, next: ListingEntry | undefined) {
  return next && { NextKeyMarker: encode(next.name), NextVersionIdMarker: next.object?.versionId };
}

/** In the order of the list, whichever of the two it is. */
function versionElement(key: string, object: ListedObject): XmlTree {
  const { isDeleteMarker, versionId, isLatest, modifiedAt } = object;
  const named = { Key: key, VersionId: versionId, IsLatest: isLatest };
  return isDeleteMarker
    ? { DeleteMarker: { ...named, LastModified: modifiedAt, ...ownerElement(object) } }
    : { Version: { ...named, ...objectElements(object), ...ownerElement(object) } };
}

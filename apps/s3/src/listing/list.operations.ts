/**
 * Lists of keys, and of versions and delete markers. Public source: Amazon S3 API reference, ListObjects,
 * ListObjectsV2 and ListObjectVersions.
 */
import { Feature } from '@cumulet/common/service/feature';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { S3Query } from '../http/s3-request.js';
import type { XmlTree } from '../http/xml.js';
import { requireVersionId } from '../objects/version-id.js';
import { nameOfToken, tokenOf } from '../operations/list-parameters.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import { ListingRepository, type ListedObject, type ListingEntry } from './listing.repository.js';
import {
  commonPrefixes,
  contentsOf,
  frameOf,
  listingRequestOf,
  objectElements,
  ownerElement,
  pageOf,
  type ListingRequest,
} from './listing.view.js';
import { invalidArgument } from '../http/s3-error.js';

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
      NextMarker: page.next && delimiter !== '' ? encode(page.next.name) : undefined,
      ...contentsOf(asked, page, true),
    });
  }
}

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
    return xmlAnswer('ListBucketResult', {
      ...frameOf(asked, bucket.name, page),
      KeyCount: page.entries.length,
      ContinuationToken: token,
      NextContinuationToken: page.next && tokenOf(page.next.name),
      StartAfter: startAfter === undefined ? undefined : encode(startAfter),
      ...contentsOf(asked, page, query.get('fetch-owner') === 'true'),
    });
  }
}

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
    throw invalidArgument(
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

function versionElement(key: string, object: ListedObject): XmlTree {
  const { isDeleteMarker, versionId, isLatest, modifiedAt } = object;
  const named = { Key: key, VersionId: versionId, IsLatest: isLatest };
  return isDeleteMarker
    ? { DeleteMarker: { ...named, LastModified: modifiedAt, ...ownerElement(object) } }
    : { Version: { ...named, ...objectElements(object), ...ownerElement(object) } };
}

@Feature({ providers: [ListingRepository, ListObjects, ListObjectsV2, ListObjectVersions] })
export class ListingModule {}

/** Reads of objects. Public source: Amazon S3 API reference, GetObject, HeadObject and GetObjectAttributes. */
import type { IncomingHttpHeaders } from 'node:http';
import { Access } from '../../access/access.js';
import { ContentReader } from '../../content/content-reader.js';
import { type S3Answer, xmlAnswer } from '../../http/s3-answer.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import { malformed, type XmlTree } from '../../http/xml.js';
import { ObjectRepository } from '../../objects/object.repository.js';
import { requireObject, versionHeader, type FoundObject } from '../../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';
import { xmlOf } from '../../operations/read-document.js';
import { isArchive } from '../writing/object-properties.js';
import { ObjectReader, unlessVanished } from './object-reader.js';
import { checksumElements } from '../../content/checksums/checksum.js';
import { readKeyOf, requireKey } from '../../content/encryption/encryption.js';
import { PartRepository } from '../../content/part.repository.js';

@Handles('GetObject')
export class GetObject implements Operation<ObjectCall> {
  constructor(
    private readonly reader: ObjectReader,
    private readonly content: ContentReader,
    private readonly objects: ObjectRepository,
    private readonly access: Access,
  ) {}

  run(call: ObjectCall): Promise<S3Answer> {
    requireObject(call);
    return unlessVanished(async (attempt) =>
      this.#read(attempt === 1 ? call : await this.#again(call)),
    );
  }

  async #read(call: ObjectCall): Promise<S3Answer> {
    const { object, slice, headers, key } = await this.reader.answer(call);
    const isEmpty = slice.headers['content-length'] === '0';
    const body = isEmpty ? '' : await this.content.open(call.ctx, object, slice.range, key);
    return { status: slice.status, headers, body };
  }

  /** The current version may have other permissions. */
  async #again(call: ObjectCall): Promise<ObjectCall> {
    const { ctx, bucket, key, request } = call;
    const versionId = request.query.get('versionId');
    const object = await this.objects.find(ctx, { bucketId: bucket.id, key, versionId });
    await this.access.require({ ...call, object });
    return { ...call, object };
  }
}

@Handles('HeadObject')
export class HeadObject implements Operation<ObjectCall> {
  constructor(private readonly reader: ObjectReader) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { slice, headers } = await this.reader.answer(call);
    return { status: slice.status, headers };
  }
}

/**
 * No object has a torrent: nobody serves them. Public source: Amazon S3 API reference, GetObjectTorrent.
 */
@Handles('GetObjectTorrent')
export class GetObjectTorrent implements Operation<ObjectCall> {
  run(call: ObjectCall): Promise<S3Answer> {
    requireObject(call);
    throw new S3Error('NoSuchKey', {
      message: 'The object has no torrent.',
      details: { Key: call.key },
    });
  }
}

/**
 * All storage classes are readable at once: an archived object counts as restored already, and others
 * cannot be restored.
 * Public source: Amazon S3 API reference, RestoreObject.
 */
@Handles('RestoreObject')
export class RestoreObject implements Operation<ObjectCall> {
  async run(call: ObjectCall): Promise<S3Answer> {
    const { storageClass, versionId } = requireObject(call);
    const days = (await xmlOf(call, 'RestoreRequest')).child('Days')?.text.trim();
    if (days !== undefined && !/^[1-9]\d{0,8}$/.test(days))
      throw malformed(`Days must be a positive whole number, not ${days}.`);
    if (!isArchive(storageClass))
      throw new S3Error('InvalidObjectState', {
        message: "Restore is not allowed for the object's current storage class",
        details: { StorageClass: storageClass },
      });
    return { status: 200, headers: versionHeader(versionId, call.bucket.versioning) };
  }
}

@Handles('GetObjectAttributes')
export class GetObjectAttributes implements Operation<ObjectCall> {
  constructor(private readonly parts: PartRepository) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { bucket, request } = call;
    const object = requireObject(call);
    requireKey(object.encryption, readKeyOf(request.headers));
    const asked = attributesOf(request.headers);
    const tree = {
      ETag: asked.has('ETag') ? object.etag : undefined,
      Checksum:
        asked.has('Checksum') && object.checksum ? checksumElements(object.checksum) : undefined,
      ObjectParts: asked.has('ObjectParts') ? await this.#parts(call, object) : undefined,
      StorageClass: asked.has('StorageClass') ? object.storageClass : undefined,
      ObjectSize: asked.has('ObjectSize') ? object.size : undefined,
    };
    return xmlAnswer('GetObjectAttributesResponse', tree, {
      headers: {
        'last-modified': object.modifiedAt.toUTCString(),
        ...versionHeader(object.versionId, bucket.versioning),
      },
    });
  }

  /** @returns undefined for an object without parts */
  async #parts(
    { ctx, request }: ObjectCall,
    { contentId, partCount }: FoundObject,
  ): Promise<XmlTree> {
    if (partCount === null) return undefined;
    const { after, limit } = partPageOf(request.headers);
    const found = await this.parts.list(ctx, contentId, after, limit + 1);
    const shown = found.slice(0, limit);
    return {
      PartsCount: partCount,
      PartNumberMarker: after,
      NextPartNumberMarker: shown.at(-1)?.number ?? after,
      MaxParts: limit,
      IsTruncated: found.length > shown.length,
      Part: shown.map(({ number, size, checksum }) => {
        const { ChecksumType: _, ...value } = checksumElements(checksum);
        return { ...value, PartNumber: number, Size: size };
      }),
    };
  }
}

const ATTRIBUTES = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;
type Attribute = (typeof ATTRIBUTES)[number];

const HEADER = 'x-amz-object-attributes';
const MAX_PARTS = 1000;

/** @throws S3Error InvalidArgument for none, or an unknown one */
export function attributesOf(headers: IncomingHttpHeaders): ReadonlySet<Attribute> {
  const names = [headers[HEADER] ?? []].flat().flatMap((value) => value.split(','));
  const asked = names.map((name) => name.trim()).filter((name) => name !== '');
  const unknown = asked.find((name) => !(ATTRIBUTES as readonly string[]).includes(name));
  if (asked.length > 0 && unknown === undefined) return new Set(asked as Attribute[]);
  throw invalidArgument(HEADER, unknown ?? '', 'Invalid attribute name specified.');
}

interface PartPage {
  /** Only parts with higher numbers. */
  readonly after: number;
  readonly limit: number;
}

/** @throws S3Error InvalidArgument */
export function partPageOf(headers: IncomingHttpHeaders): PartPage {
  return {
    after: numberIn(headers, 'x-amz-part-number-marker', 0),
    limit: Math.min(numberIn(headers, 'x-amz-max-parts', MAX_PARTS), MAX_PARTS),
  };
}

function numberIn(headers: IncomingHttpHeaders, name: string, standard: number): number {
  const value = headers[name];
  if (value === undefined) return standard;
  if (/^\d{1,9}$/.test(String(value))) return Number(value);
  throw invalidArgument(name, String(value), `${name} is not an integer or within integer range`);
}

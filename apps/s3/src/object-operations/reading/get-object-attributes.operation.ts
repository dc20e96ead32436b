/** Public source: Amazon S3 API reference, GetObjectAttributes. */
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { checksumElements } from '../../content/checksums/checksum.js';
import { readKeyOf, requireKey } from '../../content/encryption/encryption.js';
import { PartRepository } from '../../content/part.repository.js';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { invalidArgument } from '../../http/s3-error.js';
import type { XmlTree } from '../../http/xml.js';
import { requireObject, versionHeader, type FoundObject } from '../../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';

@Injectable()
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

  /** @returns undefined for what was put as a whole */
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
export type Attribute = (typeof ATTRIBUTES)[number];

const HEADER = 'x-amz-object-attributes';
const MAX_PARTS = 1000;

/** @throws S3Error InvalidArgument for none, and for one that there is not */
export function attributesOf(headers: IncomingHttpHeaders): ReadonlySet<Attribute> {
  const names = [headers[HEADER] ?? []].flat().flatMap((value) => value.split(','));
  const asked = names.map((name) => name.trim()).filter((name) => name !== '');
  const unknown = asked.find((name) => !(ATTRIBUTES as readonly string[]).includes(name));
  if (asked.length > 0 && unknown === undefined) return new Set(asked as Attribute[]);
  throw invalidArgument(HEADER, unknown ?? '', 'Invalid attribute name specified.');
}

export interface PartPage {
  /** Only parts with higher numbers. */
  readonly after: number;
  readonly limit: number;
}

/** @throws S3Error InvalidArgument for what is no number */
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

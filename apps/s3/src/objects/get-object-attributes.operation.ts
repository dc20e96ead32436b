/** Public source: Amazon S3 API reference, GetObjectAttributes. */
import { Injectable } from '@nestjs/common';
import { checksumElements } from '../content/checksums/checksum.js';
import { readKeyOf, requireKey } from '../content/encryption/encryption.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { XmlTree } from '../http/xml.js';
import { PartRepository } from '../multipart/part.repository.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { attributesOf, partPageOf } from './attributes.js';
import { requireObject, type FoundObject } from './found-object.js';
import { versionHeader } from './version-id.js';

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

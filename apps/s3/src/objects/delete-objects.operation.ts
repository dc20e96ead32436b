/** Public source: Amazon S3 API reference, DeleteObjects. */
import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.js';
import { requireKey } from '../http/s3-address.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { xmlOf } from '../http/read-document.js';
import type { XmlTree } from '../http/xml.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { deleteRequestOf, type DeletedKey } from './delete-request.js';
import { mapped } from './mapped.js';
import { ObjectVersions } from './object-versions.js';
import { requireVersionId } from './version-id.js';
import { isConditional } from './write-conditions.js';

/** Bytes: a thousand of the longest keys, each of whose bytes may be an escape. */
const MAX_DOCUMENT = 8 * 1024 ** 2;
/** Keys at once: each needs a connection. */
const CONCURRENCY = 4;

@Injectable()
@Handles('DeleteObjects')
export class DeleteObjects implements Operation<BucketCall> {
  constructor(
    private readonly versions: ObjectVersions,
    private readonly access: Access,
  ) {}

  async run(call: BucketCall): Promise<S3Answer> {
    const { keys, isQuiet } = deleteRequestOf(await xmlOf(call, 'Delete', MAX_DOCUMENT));
    const plain: string[] = [];
    const outcomes = await mapped(keys, CONCURRENCY, (one) => this.#delete(call, one, plain));
    if (plain.length > 0) await this.versions.removeAll(call.ctx, call.bucket, plain);
    return xmlAnswer('DeleteResult', {
      Deleted: isQuiet ? [] : outcomes.flatMap(({ deleted }) => deleted ?? []),
      Error: outcomes.flatMap(({ failed }) => failed ?? []),
    });
  }

  /** @param plain gets the key, if it can be removed with others */
  async #delete(call: BucketCall, asked: DeletedKey, plain: string[]): Promise<Outcome> {
    const { key, versionId } = asked;
    const named = { Key: key, VersionId: versionId };
    try {
      return { deleted: { ...named, ...(await this.#remove(call, asked, plain)) } };
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      return { failed: { ...named, Code: error.code, Message: error.message } };
    }
  }

  async #remove(
    { ctx, bucket, caller, request }: BucketCall,
    { key, versionId, conditions }: DeletedKey,
    plain: string[],
  ): Promise<Readonly<Record<string, XmlTree>>> {
    requireKey(key);
    if (versionId !== undefined) requireVersionId(versionId);
    const resource = { bucket, key, object: undefined, request };
    const action = versionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion';
    if (!this.access.isAllowed(caller, action, resource)) throw new S3Error('AccessDenied');
    const isPlain = versionId === undefined && !isConditional(conditions);
    if (isPlain && this.versions.areRemovedAtOnce(bucket)) {
      plain.push(key);
      return {};
    }
    const { deleteMarker, versionId: marker } = await this.versions.remove(
      ctx,
      bucket,
      key,
      versionId,
      { conditions, bypassGovernance: this.access.bypassesGovernance(caller, resource) },
    );
    return deleteMarker ? { DeleteMarker: true, DeleteMarkerVersionId: marker } : {};
  }
}

interface Outcome {
  readonly deleted?: XmlTree;
  readonly failed?: XmlTree;
}

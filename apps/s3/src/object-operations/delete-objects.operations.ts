/**
 * Deletions of one object or of many. Public source: Amazon S3 API reference, DeleteObject and
 * DeleteObjects.
 */
import { Access } from '../access/access.js';
import { requireKey } from '../http/s3-request.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { malformed, type XmlElement, type XmlTree } from '../http/xml.js';
import {
  isConditional,
  matchedSize,
  matchedTime,
  writeConditionsOf,
  type WriteConditions,
} from '../objects/conditions.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { requireVersionId, versionIdOf } from '../objects/version-id.js';
import {
  Handles,
  type BucketCall,
  type ObjectCall,
  type Operation,
} from '../operations/operation.js';
import { xmlOf } from '../operations/read-document.js';

@Handles('DeleteObject')
export class DeleteObject implements Operation<ObjectCall> {
  constructor(
    private readonly versions: ObjectVersions,
    private readonly access: Access,
  ) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, bucket, key, request } = call;
    const removed = await this.versions.remove(ctx, bucket, key, versionIdOf(request.query), {
      conditions: writeConditionsOf(request.headers),
      bypassGovernance: this.access.bypassesGovernance(call.caller, call),
    });
    return {
      status: 204,
      headers: {
        'x-amz-delete-marker': removed.deleteMarker ? 'true' : undefined,
        'x-amz-version-id': removed.versionId,
      },
    };
  }
}

/** Bytes; enough for a thousand of the longest keys, fully escaped. */
const MAX_DOCUMENT = 8 * 1024 ** 2;
/** Keys at once: each needs a connection. */
const CONCURRENCY = 4;

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

  /** @param plain collects keys that can be removed together */
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

export interface DeletedKey {
  readonly key: string;
  readonly versionId: string | undefined;
  readonly conditions: WriteConditions;
}

export interface DeleteRequest {
  readonly keys: readonly DeletedKey[];
  readonly isQuiet: boolean;
}

const MAX_KEYS = 1000;

/**
 * The request of a bulk deletion. Public source: Amazon S3 API reference, DeleteObjects. Pure.
 * @param root the element `Delete`. @throws S3Error MalformedXML, InvalidArgument
 */
export function deleteRequestOf(root: XmlElement): DeleteRequest {
  const objects = root.children('Object');
  if (objects.length === 0) throw malformed('Delete has no Object.');
  if (objects.length > MAX_KEYS)
    throw malformed(`Delete has ${objects.length} elements Object; ${MAX_KEYS} are allowed.`);
  return {
    keys: objects.map(keyOf),
    isQuiet: root.child('Quiet')?.text.trim().toLowerCase() === 'true',
  };
}

function keyOf(object: XmlElement): DeletedKey {
  const key = object.need('Key').text;
  if (key === '') throw malformed('Object has an empty Key.');
  const time = object.child('LastModifiedTime')?.text;
  const size = object.child('Size')?.text;
  return {
    key,
    versionId: object.child('VersionId')?.text,
    conditions: {
      ifMatch: object.child('ETag')?.text,
      ifMatchLastModifiedTime: time === undefined ? undefined : matchedTime(time),
      ifMatchSize: size === undefined ? undefined : matchedSize(size),
    },
  };
}

/** Maps a list with limited concurrency, in order. */
async function mapped<In, Out>(
  list: readonly In[],
  concurrency: number,
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  const entries = list.entries();
  const next = async (): Promise<void> => {
    for (const [at, one] of entries) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return results;
}

/**
 * Pages of keys and of versions, each by one statement that reads an index from where the page
 * starts. With a delimiter it skips: from a common prefix to what sorts behind all that has it, so
 * a page costs as much as it has entries, however many keys these stand for.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { BucketId } from '../buckets/bucket.entity.js';
import type { StoredObject } from '../objects/object.entity.js';
import { endOf, goesOnWithin, startOf, type ListingPage } from './listing-range.js';
import {
  OBJECTS,
  OBJECTS_BY_DELIMITER,
  VERSIONS,
  VERSIONS_BY_DELIMITER,
} from './listing-statements.js';

/** What lists show of a version. */
export type ListedObject = Pick<
  StoredObject,
  | 'versionId'
  | 'isLatest'
  | 'isDeleteMarker'
  | 'size'
  | 'etag'
  | 'modifiedAt'
  | 'ownerId'
  | 'storageClass'
  | 'checksum'
>;

export interface ListingEntry {
  /** A key, or a common prefix. */
  readonly name: string;
  /** Absent of a common prefix. */
  readonly object: ListedObject | undefined;
}

interface Row extends ListedObject {
  readonly key: Buffer;
  readonly prefix: Buffer | null;
}

@Injectable()
export class ListingRepository {
  /** The latest versions that are no delete markers, by key. */
  async objects(
    ctx: RequestContext,
    bucketId: BucketId,
    page: ListingPage,
  ): Promise<ListingEntry[]> {
    const statement = page.delimiter === '' ? OBJECTS : OBJECTS_BY_DELIMITER;
    const range = [bucketId, startOf(page), endOf(page), page.limit];
    return entriesOf(ctx, statement, [...range, ...splitOf(page)]);
  }

  /**
   * All versions and delete markers, by key, and the newest of a key first.
   * @param olderThan a version of the key `after`: those that are older follow it, before other
   * keys. Of one that is gone, all that are left of its key follow.
   */
  async versions(
    ctx: RequestContext,
    bucketId: BucketId,
    page: ListingPage,
    olderThan?: string,
  ): Promise<ListingEntry[]> {
    const statement = page.delimiter === '' ? VERSIONS : VERSIONS_BY_DELIMITER;
    const [start, version] =
      olderThan !== undefined && goesOnWithin(page)
        ? [Buffer.from(page.after), olderThan]
        : [startOf(page), null];
    const range = [bucketId, start, endOf(page), page.limit, version];
    return entriesOf(ctx, statement, [...range, ...splitOf(page)]);
  }
}

/** How a statement tells a key's common prefix. */
function splitOf({ prefix, delimiter }: ListingPage): unknown[] {
  return delimiter === '' ? [] : [Buffer.byteLength(prefix), Buffer.from(delimiter)];
}

async function entriesOf(
  { manager }: RequestContext,
  statement: string,
  params: readonly unknown[],
): Promise<ListingEntry[]> {
  const rows = await preparedRows<Row>(manager, statement, params);
  return rows.map(({ key, prefix, ...object }) =>
    prefix === null
      ? { name: key.toString(), object }
      : { name: prefix.toString(), object: undefined },
  );
}

/**
 * Pages of keys and of versions, each by one statement that reads an index from the page's start.
 * With a delimiter, it skips from a common prefix to the first key after all that have it, so the
 * cost of a page depends on its entries, not on the keys that they stand for.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import type { BucketId } from '../buckets/bucket.entity.js';
import type { StoredObject } from '../objects/object.entity.js';
import { endOf, goesOnWithin, startOf, type ListingPage } from './listing-range.js';

/**
 * The statements of listings. Their parameters: the bucket, the least key, what all keys are less
 * than, how many entries; and then each statement's own. How many is behind a SELECT, lest Postgres
 * rather sorts all keys where it takes them for few.
 *
 * What is shown of a version, under the names of its entity.
 */
const SHOWN = [
  'version_id AS "versionId"',
  'is_latest AS "isLatest"',
  'is_delete_marker AS "isDeleteMarker"',
  'size',
  'etag',
  'modified_at AS "modifiedAt"',
  'owner_id AS "ownerId"',
  'storage_class AS "storageClass"',
  'checksum',
].join(', ');

const COLUMNS =
  'key, sequence, version_id, is_latest, is_delete_marker, size, etag, modified_at, owner_id, storage_class, checksum';
/** The condition of the index `objects_listed`. */
const LISTED = 'bucket_id = $1 AND is_latest AND NOT is_delete_marker';

const OBJECTS = `
  SELECT key, NULL::bytea AS prefix, ${SHOWN} FROM objects
   WHERE ${LISTED} AND key >= $2 AND key < $3
   ORDER BY key LIMIT (SELECT $4::bigint)`;

/** Further: the bytes of the prefix, and the delimiter. */
const OBJECTS_BY_DELIMITER = skipping(
  ['$5', '$6'],
  { at: '$2::bytea', below: '0::bigint', behind: `found.key || '\\x00'::bytea` },
  `SELECT ${COLUMNS} FROM objects
    WHERE ${LISTED} AND key >= page.at AND key < $3
    ORDER BY key LIMIT 1`,
);

/**
 * Further: the version of the key `$2` that only older ones of it are listed after, or null. Of one
 * that is gone, nobody knows which are older. Looked for as the first that is not before it, it is
 * found by the primary key alone: other indexes would have Postgres read all versions of the key.
 */
const BELOW = `COALESCE(
  (SELECT sequence FROM (
     SELECT bucket_id, key, version_id, sequence FROM objects
      WHERE (bucket_id, key, version_id) >= ($1, $2, $5::text)
      ORDER BY bucket_id, key, version_id LIMIT 1) AS marker
    WHERE bucket_id = $1 AND key = $2 AND version_id = $5),
  9223372036854775807)`;

const VERSIONS = `
  SELECT key, NULL::bytea AS prefix, ${SHOWN} FROM (
    (SELECT ${COLUMNS} FROM objects
      WHERE bucket_id = $1 AND key = $2 AND sequence < ${BELOW}
      ORDER BY sequence DESC LIMIT (SELECT $4::bigint))
    UNION ALL
    (SELECT ${COLUMNS} FROM objects
      WHERE bucket_id = $1 AND key > $2 AND key < $3
      ORDER BY key, sequence DESC LIMIT (SELECT $4::bigint))
  ) AS found ORDER BY key, sequence DESC LIMIT $4`;

/** Further: the version as above, the bytes of the prefix, and the delimiter. */
const VERSIONS_BY_DELIMITER = skipping(
  ['$6', '$7'],
  { at: '$2::bytea', below: BELOW, behind: 'found.key' },
  `(SELECT ${COLUMNS} FROM objects
     WHERE bucket_id = $1 AND key = page.at AND sequence < page.below
     ORDER BY sequence DESC LIMIT 1)
   UNION ALL
   (SELECT ${COLUMNS} FROM objects
     WHERE bucket_id = $1 AND key > page.at AND key < $3
     ORDER BY key, sequence DESC LIMIT 1)
   LIMIT 1`,
);

/**
 * One entry after the other, each found from where the one before it ends.
 * @param start which the first entry is not before: a key, and of its versions those below; and
 * where the next entry starts behind a key that is found
 * @param nextEntry finds the next version from `page.at` and `page.below` on
 */
function skipping(
  [prefixLength, delimiter]: readonly [string, string],
  start: { readonly at: string; readonly below: string; readonly behind: string },
  nextEntry: string,
): string {
  const common = `substring(found.key for ${prefixLength}::integer + hit + length(${delimiter}) - 1)`;
  const columns = COLUMNS.split(', ');
  const of = (table: string): string => columns.map((one) => `${table}.${one}`).join(', ');
  return `
    WITH RECURSIVE page AS (
      SELECT 0::bigint AS n, ${start.at} AS at, ${start.below} AS below, NULL::bytea AS prefix,
             ${of('none')}
        FROM (SELECT) AS one LEFT JOIN objects AS none ON false
      UNION ALL
      SELECT page.n + 1,
             CASE WHEN hit > 0 THEN ${common} || '\\xff'::bytea ELSE ${start.behind} END,
             found.sequence,
             CASE WHEN hit > 0 THEN ${common} END,
             ${of('found')}
        FROM page
       CROSS JOIN LATERAL (${nextEntry}) AS found
       CROSS JOIN LATERAL (
         SELECT position(${delimiter}::bytea in substring(found.key from ${prefixLength}::integer + 1)) AS hit
       ) AS delimiter
       WHERE page.n < $4
    )
    SELECT key, prefix, ${SHOWN} FROM page WHERE n > 0 ORDER BY n`;
}

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
  readonly name: string;
  /** Absent for a common prefix. */
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

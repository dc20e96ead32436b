/** The statements that write versions of objects, for `object.repository` alone. */
import { NULL_VERSION, type StoredObject } from './object.entity.js';

/** A version to be stored, which becomes the latest of its key. */
export type NewVersion = Omit<StoredObject, 'sequence' | 'isLatest' | 'modifiedAt'>;

const UNLOCKED =
  'NOT objects.legal_hold AND (objects.retain_until IS NULL OR objects.retain_until <= now())';

/** The columns of a version with their types, in the order of parameters. */
export const TYPES = {
  bucketId: 'uuid',
  key: 'bytea',
  versionId: 'text',
  isDeleteMarker: 'boolean',
  ownerId: 'text',
  contentId: 'uuid',
  size: 'bigint',
  etag: 'text',
  dataId: 'uuid',
  inline: 'bytea',
  partCount: 'integer',
  checksum: 'jsonb',
  encryption: 'jsonb',
  headers: 'jsonb',
  metadata: 'jsonb',
  tags: 'jsonb',
  acl: 'jsonb',
  storageClass: 'text',
  retentionMode: 'text',
  retainUntil: 'timestamptz',
  legalHold: 'boolean',
  legalHoldTold: 'boolean',
} as const satisfies Readonly<Record<keyof NewVersion, string>>;

export const PROPERTIES = Object.keys(TYPES) as (keyof NewVersion)[];
const IDENTITY = ['bucketId', 'key', 'versionId'];

/** Values of a new version; it is the latest. */
function into(columns: readonly string[]): [list: string, values: string] {
  const values = PROPERTIES.map((property, at) => `$${at + 1}::${TYPES[property]}`);
  return [`${columns.join(', ')}, is_latest`, `${values.join(', ')}, true`];
}

const GIVEN = 'RETURNING objects.sequence, objects.modified_at AS "modifiedAt"';

/** @param columns of `PROPERTIES`, whose values are the parameters */
export function INSERT(columns: readonly string[]): string {
  const [list, values] = into(columns);
  return `INSERT INTO objects (${list}) VALUES (${values}) ${GIVEN}`;
}

/**
 * The same, in place of one with its id. The former latest one is counted so that it is none before
 * the new one is stored.
 */
export function PUBLISH(columns: readonly string[]): string {
  const [list, values] = into(columns);
  const changed = columns
    .filter((_, at) => !IDENTITY.includes(PROPERTIES[at] ?? ''))
    .map((column) => `${column} = excluded.${column}`);
  return `
    WITH former AS (
      UPDATE objects SET is_latest = false
       WHERE bucket_id = $1 AND key = $2 AND is_latest AND version_id <> $3
      RETURNING 1
    )
    INSERT INTO objects (${list}) SELECT ${values} FROM (SELECT count(*) FROM former) AS made
    ON CONFLICT ON CONSTRAINT objects_pkey DO UPDATE
      SET ${changed.join(', ')}, is_latest = true, modified_at = excluded.modified_at,
        sequence = DEFAULT
      WHERE ${UNLOCKED}
    ${GIVEN}`;
}

/** A bucket's id, a key and a version's id: the version before becomes the latest. */
export const DELETE = `
  WITH gone AS (
    DELETE FROM objects
     WHERE bucket_id = $1 AND key = $2 AND version_id = $3
    RETURNING is_latest, is_delete_marker AS "isDeleteMarker", etag, sequence
  ), next AS (
    SELECT version_id FROM objects
     WHERE bucket_id = $1 AND key = $2 AND version_id <> $3 AND (SELECT is_latest FROM gone)
     ORDER BY sequence DESC LIMIT 1
  ), promoted AS (
    UPDATE objects SET is_latest = true FROM next
     WHERE objects.bucket_id = $1 AND objects.key = $2 AND objects.version_id = next.version_id
  )
  SELECT "isDeleteMarker", etag, sequence FROM gone`;

/** In the order of keys: so two that have keys in common wait for each other in turn. */
export const DELETE_ALL = `
  WITH found AS (
    SELECT key FROM objects
     WHERE bucket_id = $1 AND key = ANY ($2::bytea[]) AND version_id = '${NULL_VERSION}'
       AND is_latest AND ${UNLOCKED}
     ORDER BY key FOR UPDATE
  )
  DELETE FROM objects USING found
   WHERE objects.bucket_id = $1 AND objects.key = found.key
     AND objects.version_id = '${NULL_VERSION}'`;

import { createStoreClaim, dropStoreClaim } from '@cumulet/storage/stores/store-claim.entity';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an object has that its multipart upload has already. */
const OWNED = `
  owner_id text NOT NULL,
  encryption jsonb,
  headers jsonb NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  tags jsonb NOT NULL DEFAULT '{}',
  acl jsonb,
  storage_class text NOT NULL DEFAULT 'STANDARD',
  retention_mode text,
  retain_until timestamptz(3),
  legal_hold boolean NOT NULL DEFAULT false`;

type Changed = readonly (readonly ['new' | 'old', 1 | -1])[];

/** The rows by which a statement of each kind changes a bucket's usage. */
const CHANGED: Readonly<Record<'insert' | 'update' | 'delete', Changed>> = {
  insert: [['new', 1]],
  update: [
    ['new', 1],
    ['old', -1],
  ],
  delete: [['old', -1]],
};

const usageOf = (rows: 'new' | 'old', sign: 1 | -1): string => `
  SELECT bucket_id, ${sign} * (NOT is_delete_marker)::integer AS objects, ${sign} * size AS bytes
    FROM ${rows}_rows`;

/** Buckets, versions of objects, multipart uploads, and where bytes are. */
export class Core1797000000000 implements MigrationInterface {
  readonly name = 'Core1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE buckets (
        id uuid CONSTRAINT buckets_pkey PRIMARY KEY,
        project_id text NOT NULL,
        name text COLLATE "C" NOT NULL,
        region text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        versioning text NOT NULL DEFAULT 'off' CONSTRAINT buckets_versioning_check
          CHECK (versioning IN ('off', 'enabled', 'suspended')),
        object_lock boolean NOT NULL DEFAULT false,
        acl jsonb,
        configurations jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT buckets_object_lock_check CHECK (NOT object_lock OR versioning = 'enabled')
      )`);
    await runner.query('CREATE UNIQUE INDEX buckets_project_id_name ON buckets (project_id, name)');
    await runner.query('CREATE INDEX buckets_name ON buckets (name)');
    await this.#objects(runner);
    await this.#uploads(runner);
    await this.#bytes(runner);
    await this.#usage(runner);
    await this.#background(runner);
  }

  async #objects(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE objects (
        bucket_id uuid CONSTRAINT objects_bucket_id_fkey REFERENCES buckets,
        key bytea,
        version_id text,
        sequence bigserial NOT NULL,
        is_latest boolean NOT NULL,
        is_delete_marker boolean NOT NULL DEFAULT false,
        modified_at timestamptz(3) NOT NULL DEFAULT now(),
        content_id uuid,
        size bigint NOT NULL DEFAULT 0,
        etag text NOT NULL DEFAULT '',
        data_id uuid,
        inline bytea,
        part_count integer,
        checksum jsonb,
        ${OWNED},
        CONSTRAINT objects_pkey PRIMARY KEY (bucket_id, key, version_id),
        CONSTRAINT objects_delete_marker_check CHECK (is_delete_marker = (content_id IS NULL)),
        CONSTRAINT objects_bytes_check CHECK (inline IS NULL OR data_id IS NULL)
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX objects_latest ON objects (bucket_id, key) WHERE is_latest`);
    await runner.query(`
      CREATE INDEX objects_listed ON objects (bucket_id, key)
        WHERE is_latest AND NOT is_delete_marker`);
    await runner.query('CREATE INDEX objects_versions ON objects (bucket_id, key, sequence DESC)');
    await runner.query('CREATE UNIQUE INDEX objects_content_id ON objects (content_id)');
    await runner.query('CREATE UNIQUE INDEX objects_data_id ON objects (data_id)');
    // Bytes of clients are rarely worth compressing, and reading a part of them is quick without.
    await runner.query('ALTER TABLE objects ALTER COLUMN inline SET STORAGE EXTERNAL');
  }

  async #uploads(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE uploads (
        id uuid CONSTRAINT uploads_pkey PRIMARY KEY,
        bucket_id uuid NOT NULL CONSTRAINT uploads_bucket_id_fkey REFERENCES buckets,
        key bytea NOT NULL,
        initiator_id text,
        initiated_at timestamptz(3) NOT NULL DEFAULT now(),
        checksum_algorithm text,
        checksum_type text,
        ${OWNED}
      )`);
    await runner.query('CREATE INDEX uploads_bucket_id_key ON uploads (bucket_id, key, id)');
    await runner.query(`
      CREATE TABLE parts (
        content_id uuid,
        number integer,
        size bigint NOT NULL,
        etag text NOT NULL,
        modified_at timestamptz(3) NOT NULL DEFAULT now(),
        checksum jsonb,
        crc64 text,
        encryption jsonb,
        data_id uuid,
        inline bytea,
        CONSTRAINT parts_pkey PRIMARY KEY (content_id, number),
        CONSTRAINT parts_bytes_check CHECK (inline IS NULL OR data_id IS NULL)
      )`);
    await runner.query('CREATE UNIQUE INDEX parts_data_id ON parts (data_id)');
    await runner.query('ALTER TABLE parts ALTER COLUMN inline SET STORAGE EXTERNAL');
  }

  /** What an object or a part loses is loose, whoever makes it lose it. */
  async #bytes(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loose_data (
        data_id uuid CONSTRAINT loose_data_pkey PRIMARY KEY,
        until timestamptz(3) NOT NULL,
        is_going boolean NOT NULL DEFAULT false
      )`);
    await runner.query('CREATE INDEX loose_data_until ON loose_data (until)');
    await createStoreClaim(runner);
    await runner.query(`
      CREATE TABLE scrub_round (
        began_at timestamptz(3) CONSTRAINT scrub_round_pkey PRIMARY KEY,
        last_id uuid
      )`);
    await runner.query('INSERT INTO scrub_round (began_at) VALUES (now())');
    await runner.query(`
      CREATE FUNCTION loosen_data() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.data_id IS NOT NULL THEN
          INSERT INTO loose_data (data_id, until) VALUES (OLD.data_id, now() + TG_ARGV[0]::interval);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION drop_parts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM parts WHERE content_id = OLD.content_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION drop_upload_parts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM parts WHERE content_id = OLD.id
          AND NOT EXISTS (SELECT FROM objects WHERE content_id = OLD.id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER uploads_drop_parts AFTER DELETE ON uploads
        FOR EACH ROW EXECUTE FUNCTION drop_upload_parts()`);
    // A reader that knows of bytes still has to open them: those of a last part after all others.
    for (const [table, grace] of [
      ['objects', '1 minute'],
      ['parts', '10 minutes'],
    ]) {
      await runner.query(`
        CREATE TRIGGER ${table}_loosen_deleted AFTER DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION loosen_data('${grace}')`);
      await runner.query(`
        CREATE TRIGGER ${table}_loosen_replaced AFTER UPDATE ON ${table}
          FOR EACH ROW WHEN (OLD.data_id IS DISTINCT FROM NEW.data_id)
          EXECUTE FUNCTION loosen_data('${grace}')`);
    }
    await runner.query(`
      CREATE TRIGGER objects_drop_parts_deleted AFTER DELETE ON objects
        FOR EACH ROW WHEN (OLD.part_count IS NOT NULL) EXECUTE FUNCTION drop_parts()`);
    await runner.query(`
      CREATE TRIGGER objects_drop_parts_replaced AFTER UPDATE ON objects
        FOR EACH ROW WHEN (OLD.part_count IS NOT NULL
          AND OLD.content_id IS DISTINCT FROM NEW.content_id) EXECUTE FUNCTION drop_parts()`);
  }

  /**
   * A connection always counts in the same shard, and so waits for few others; a statement counts once,
   * as a row that is changed many times in a transaction grows slower with each.
   */
  async #usage(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bucket_usage (
        bucket_id uuid CONSTRAINT bucket_usage_bucket_id_fkey REFERENCES buckets ON DELETE CASCADE,
        shard smallint,
        objects bigint NOT NULL DEFAULT 0,
        bytes bigint NOT NULL DEFAULT 0,
        CONSTRAINT bucket_usage_pkey PRIMARY KEY (bucket_id, shard)
      )`);
    for (const [event, tables] of Object.entries(CHANGED)) {
      const rows = tables.map(([name, sign]) => usageOf(name, sign)).join(' UNION ALL ');
      await runner.query(`
        CREATE FUNCTION count_usage_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO bucket_usage AS known (bucket_id, shard, objects, bytes)
            SELECT bucket_id, pg_backend_pid() % 16, sum(objects), sum(bytes) FROM (${rows}) rows
              GROUP BY bucket_id HAVING sum(objects) <> 0 OR sum(bytes) <> 0
            ON CONFLICT ON CONSTRAINT bucket_usage_pkey DO UPDATE
              SET objects = known.objects + excluded.objects, bytes = known.bytes + excluded.bytes;
          RETURN NULL;
        END $$`);
      const names = tables.map(([name]) => `${name.toUpperCase()} TABLE AS ${name}_rows`);
      await runner.query(`
        CREATE TRIGGER objects_count_${event} AFTER ${event.toUpperCase()} ON objects
          REFERENCING ${names.join(' ')} FOR EACH STATEMENT EXECUTE FUNCTION count_usage_${event}()`);
    }
  }

  /** What is done later: telling of events, delivering logs, and what lifecycle rules say. */
  async #background(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bucket_events (
        id bigserial CONSTRAINT bucket_events_pkey PRIMARY KEY,
        url text NOT NULL,
        record jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        due_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX bucket_events_due ON bucket_events (due_at)');
    await runner.query('CREATE INDEX bucket_events_url ON bucket_events (url, id)');
    await runner.query('CREATE INDEX bucket_events_created_at ON bucket_events (created_at)');
    await runner.query(`
      CREATE TABLE access_log_batches (
        id bigserial CONSTRAINT access_log_batches_pkey PRIMARY KEY,
        destination text NOT NULL,
        source jsonb NOT NULL,
        lines text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(
      'CREATE INDEX access_log_batches_destination ON access_log_batches (destination, id)',
    );
    await runner.query(
      'CREATE INDEX access_log_batches_created_at ON access_log_batches (created_at)',
    );
    await runner.query(`
      CREATE TABLE lifecycle_runs (
        bucket_id uuid CONSTRAINT lifecycle_runs_pkey PRIMARY KEY
          CONSTRAINT lifecycle_runs_bucket_id_fkey REFERENCES buckets ON DELETE CASCADE,
        rules text NOT NULL,
        until timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE INDEX buckets_lifecycle ON buckets (id) WHERE configurations ? 'lifecycle'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropStoreClaim(runner);
    const tables = [
      'scrub_round',
      'lifecycle_runs',
      'access_log_batches',
      'bucket_events',
      'bucket_usage',
      'loose_data',
      'parts',
      'uploads',
      'objects',
      'buckets',
    ];
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
    const counting = Object.keys(CHANGED).map((event) => `count_usage_${event}`);
    for (const name of ['loosen_data', 'drop_parts', 'drop_upload_parts', ...counting])
      await runner.query(`DROP FUNCTION ${name}`);
  }
}

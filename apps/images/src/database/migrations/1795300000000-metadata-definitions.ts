import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Namespaces of metadata definitions, and their contents. */
export class MetadataDefinitions1795300000000 implements MigrationInterface {
  readonly name = 'MetadataDefinitions1795300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadef_namespaces (
        id uuid CONSTRAINT metadef_namespaces_pkey PRIMARY KEY,
        namespace text NOT NULL,
        display_name text,
        description text,
        visibility text NOT NULL,
        protected boolean NOT NULL,
        owner text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT metadef_namespaces_visibility CHECK (visibility IN ('public', 'private'))
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX metadef_namespaces_namespace ON metadef_namespaces (namespace)',
    );
    await runner.query(
      'CREATE INDEX metadef_namespaces_created_at ON metadef_namespaces (created_at, id)',
    );
    await runner.query(`
      CREATE TABLE metadef_objects (
        namespace_id uuid CONSTRAINT metadef_objects_namespace_id_fkey
          REFERENCES metadef_namespaces ON DELETE CASCADE,
        name text,
        description text,
        required text[] NOT NULL,
        properties jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT metadef_objects_pkey PRIMARY KEY (namespace_id, name)
      )`);
    await runner.query(`
      CREATE TABLE metadef_properties (
        namespace_id uuid CONSTRAINT metadef_properties_namespace_id_fkey
          REFERENCES metadef_namespaces ON DELETE CASCADE,
        name text,
        schema jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT metadef_properties_pkey PRIMARY KEY (namespace_id, name)
      )`);
    await runner.query(`
      CREATE TABLE metadef_tags (
        namespace_id uuid CONSTRAINT metadef_tags_namespace_id_fkey
          REFERENCES metadef_namespaces ON DELETE CASCADE,
        name text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT metadef_tags_pkey PRIMARY KEY (namespace_id, name)
      )`);
    await runner.query(`
      CREATE TABLE metadef_resource_types (
        name text CONSTRAINT metadef_resource_types_pkey PRIMARY KEY,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE metadef_associations (
        namespace_id uuid CONSTRAINT metadef_associations_namespace_id_fkey
          REFERENCES metadef_namespaces ON DELETE CASCADE,
        name text CONSTRAINT metadef_associations_name_fkey REFERENCES metadef_resource_types,
        prefix text,
        properties_target text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT metadef_associations_pkey PRIMARY KEY (namespace_id, name)
      )`);
    await runner.query('CREATE INDEX metadef_associations_name ON metadef_associations (name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE metadef_associations');
    await runner.query('DROP TABLE metadef_resource_types');
    await runner.query('DROP TABLE metadef_tags');
    await runner.query('DROP TABLE metadef_properties');
    await runner.query('DROP TABLE metadef_objects');
    await runner.query('DROP TABLE metadef_namespaces');
  }
}

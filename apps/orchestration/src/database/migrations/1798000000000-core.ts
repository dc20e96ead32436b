import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEFUL = `
  state text NOT NULL,
  previous_state text,
  state_since timestamptz NOT NULL DEFAULT now(),
  state_deadline timestamptz,
  state_reason text,
  generation integer NOT NULL DEFAULT 1`;

const CREATED_AT = 'created_at timestamptz(3) NOT NULL DEFAULT now()';

const INDEXES = [
  'stacks_project_page_idx ON stacks (project_id, created_at, id) WHERE owner_id IS NULL',
  'stacks_project_all_page_idx ON stacks (project_id, created_at, id)',
  'stacks_page_idx ON stacks (created_at, id)',
  `stacks_unsettled_idx ON stacks (state) WHERE state = 'in_progress'`,
  'stacks_owner_idx ON stacks (owner_id)',
  `stack_resources_unsettled_idx ON stack_resources (state)
    WHERE state NOT IN ('settled', 'waiting')`,
  'stacks_root_idx ON stacks (root_id)',
  'stacks_template_idx ON stacks (template_id)',
  'stacks_previous_template_idx ON stacks (previous_template_id)',
  'stack_resources_stack_idx ON stack_resources (stack_id, id)',
  'stack_resources_physical_idx ON stack_resources (physical_id)',
  'stack_events_stack_idx ON stack_events (stack_id, position)',
  'stack_events_root_idx ON stack_events (root_id, position)',
  'deleted_stacks_project_page_idx ON deleted_stacks (project_id, created_at, id)',
  'deleted_stacks_page_idx ON deleted_stacks (created_at, id)',
  'deleted_stacks_name_idx ON deleted_stacks (project_id, name)',
  'deleted_stacks_root_idx ON deleted_stacks (root_id)',
  'deleted_stacks_time_idx ON deleted_stacks (deleted_at)',
  'stack_snapshots_stack_idx ON stack_snapshots (stack_id, created_at, id)',
  'software_configs_project_page_idx ON software_configs (project_id, created_at, id)',
  'software_configs_page_idx ON software_configs (created_at, id)',
  'software_deployments_project_page_idx ON software_deployments (project_id, created_at, id)',
  'software_deployments_page_idx ON software_deployments (created_at, id)',
  'software_deployments_server_idx ON software_deployments (server_id)',
  'software_deployments_config_idx ON software_deployments (config_id)',
];

/** Stacks with all that they consist of and leave behind, and the configuration of software. */
export class Core1798000000000 implements MigrationInterface {
  readonly name = 'Core1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stack_templates (
        id uuid CONSTRAINT stack_templates_pkey PRIMARY KEY,
        source text NOT NULL,
        summary text NOT NULL,
        output_resources text[] NOT NULL DEFAULT '{}',
        ${CREATED_AT})`);
    await runner.query(`
      CREATE TABLE stacks (
        id uuid CONSTRAINT stacks_pkey PRIMARY KEY,
        project_id text NOT NULL,
        user_id text NOT NULL,
        user_name text NOT NULL,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        action text NOT NULL, ${STATEFUL},
        template_id uuid NOT NULL CONSTRAINT stacks_template_fkey REFERENCES stack_templates,
        previous_template_id uuid
          CONSTRAINT stacks_previous_template_fkey REFERENCES stack_templates,
        traversal integer NOT NULL DEFAULT 1,
        stage text NOT NULL DEFAULT 'planning',
        remaining integer NOT NULL DEFAULT 0,
        failure text,
        action_data text,
        timeout_minutes integer,
        timeout_at timestamptz,
        disable_rollback boolean NOT NULL DEFAULT true,
        tags text[] NOT NULL DEFAULT '{}',
        trust_id text,
        former_trust_ids text[] NOT NULL DEFAULT '{}',
        owner_id uuid CONSTRAINT stacks_owner_fkey REFERENCES stacks,
        owner_resource_id uuid,
        owner_resource_name text,
        root_id uuid NOT NULL,
        nested_depth integer NOT NULL DEFAULT 0,
        ${CREATED_AT},
        updated_at timestamptz(3))`);
    await runner.query(
      'CREATE UNIQUE INDEX stacks_name_key ON stacks (project_id, name) WHERE owner_id IS NULL',
    );
    await runner.query(
      'CREATE UNIQUE INDEX stacks_owner_resource_key ON stacks (owner_resource_id)',
    );
    await this.#createResources(runner);
    await this.#createHistory(runner);
    await this.#createSoftware(runner);
    for (const one of INDEXES) await runner.query(`CREATE INDEX ${one}`);
  }

  async #createResources(runner: QueryRunner): Promise<void> {
    // Rows are updated a few times each within seconds: room on their page saves their indexes.
    await runner.query(`
      CREATE TABLE stack_resources (
        id uuid CONSTRAINT stack_resources_pkey PRIMARY KEY,
        stack_id uuid NOT NULL
          CONSTRAINT stack_resources_stack_fkey REFERENCES stacks ON DELETE CASCADE,
        name text NOT NULL,
        type text NOT NULL,
        physical_id text,
        action text NOT NULL DEFAULT 'INIT',
        status text NOT NULL DEFAULT 'COMPLETE',
        reason text NOT NULL DEFAULT '', ${STATEFUL},
        traversal integer NOT NULL,
        definition text NOT NULL,
        former_definition text,
        properties text,
        frozen text,
        attributes text,
        reference text,
        metadata text,
        data text,
        requires text[] NOT NULL DEFAULT '{}',
        asked text[] NOT NULL DEFAULT '{}',
        goal text,
        waiting_for integer NOT NULL DEFAULT 0,
        next uuid[] NOT NULL DEFAULT '{}',
        turn smallint NOT NULL DEFAULT 0,
        obsolete boolean NOT NULL DEFAULT false,
        replaces uuid,
        replaced_by uuid,
        is_external boolean NOT NULL DEFAULT false,
        hook text,
        cleared_hooks text[] NOT NULL DEFAULT '{}',
        tries integer NOT NULL DEFAULT 0,
        ${CREATED_AT},
        updated_at timestamptz(3) NOT NULL DEFAULT now()) WITH (fillfactor = 50)`);
    await runner.query(
      'CREATE UNIQUE INDEX stack_resources_name_key ON stack_resources (stack_id, name) WHERE NOT obsolete',
    );
    await runner.query(`
      CREATE TABLE stack_snapshots (
        id uuid CONSTRAINT stack_snapshots_pkey PRIMARY KEY,
        stack_id uuid NOT NULL
          CONSTRAINT stack_snapshots_stack_fkey REFERENCES stacks ON DELETE CASCADE,
        project_id text NOT NULL,
        name text,
        status text NOT NULL DEFAULT 'IN_PROGRESS',
        reason text NOT NULL DEFAULT '',
        data text,
        ${CREATED_AT})`);
    await runner.query(`
      CREATE TABLE resource_snapshots (
        snapshot_id uuid CONSTRAINT resource_snapshots_snapshot_fkey
          REFERENCES stack_snapshots ON DELETE CASCADE,
        resource_name text NOT NULL,
        type text NOT NULL,
        data text NOT NULL,
        CONSTRAINT resource_snapshots_pkey PRIMARY KEY (snapshot_id, resource_name))`);
    await runner.query(`
      CREATE TABLE loose_trusts (
        id uuid CONSTRAINT loose_trusts_pkey PRIMARY KEY,
        trust_id text,
        expires_at timestamptz(3),
        ${CREATED_AT})`);
    await runner.query('CREATE INDEX loose_trusts_created_at_idx ON loose_trusts (created_at)');
  }

  async #createHistory(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stack_events (
        id uuid CONSTRAINT stack_events_pkey PRIMARY KEY,
        position bigserial NOT NULL,
        stack_id uuid NOT NULL,
        root_id uuid NOT NULL,
        project_id text NOT NULL,
        resource_name text NOT NULL,
        physical_id text,
        resource_type text NOT NULL,
        action text NOT NULL,
        status text NOT NULL,
        reason text NOT NULL,
        properties text,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp())`);
    await runner.query(`
      CREATE TABLE deleted_stacks (
        id uuid CONSTRAINT deleted_stacks_pkey PRIMARY KEY,
        project_id text NOT NULL,
        name text NOT NULL,
        owner_id uuid,
        root_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3) NOT NULL DEFAULT now(),
        stack jsonb NOT NULL)`);
    // What the action needed, and by whose leave it worked, has no use any more.
    await runner.query(`
      CREATE FUNCTION archive_deleted_stacks() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO deleted_stacks (id, project_id, name, owner_id, root_id, created_at, stack)
        SELECT id, project_id, name, owner_id, root_id, created_at,
               to_jsonb(deleted) || jsonb_build_object(
                 'action', 'DELETE', 'state', 'complete', 'action_data', NULL, 'trust_id', NULL,
                 'former_trust_ids', '[]'::jsonb,
                 'state_reason', 'Stack DELETE completed successfully')
          FROM deleted
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER stacks_archived AFTER DELETE ON stacks REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION archive_deleted_stacks()`);
  }

  async #createSoftware(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE software_configs (
        id uuid CONSTRAINT software_configs_pkey PRIMARY KEY,
        project_id text NOT NULL,
        name text NOT NULL DEFAULT '',
        "group" text NOT NULL,
        content text NOT NULL,
        ${CREATED_AT})`);
    await runner.query(`
      CREATE TABLE software_deployments (
        id uuid CONSTRAINT software_deployments_pkey PRIMARY KEY,
        project_id text NOT NULL,
        config_id uuid NOT NULL
          CONSTRAINT software_deployments_config_fkey REFERENCES software_configs,
        server_id text NOT NULL,
        action text,
        status text,
        status_reason text,
        input_values text,
        output_values text,
        ${CREATED_AT},
        updated_at timestamptz(3))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE software_deployments, software_configs');
    await runner.query('DROP TABLE loose_trusts');
    await runner.query('DROP TABLE resource_snapshots, stack_snapshots, stack_resources, stacks');
    await runner.query('DROP FUNCTION archive_deleted_stacks');
    await runner.query('DROP TABLE deleted_stacks, stack_events, stack_templates');
  }
}

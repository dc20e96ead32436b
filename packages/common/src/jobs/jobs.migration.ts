import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table of jobs, in every service. Jobs that an earlier version left to graphile-worker
 * move into it: one of each resource, the one that was to run next. Its schema stays for processes of
 * that version, which may run until the next release; those that they have in hand run twice.
 */
export class Jobs1796400000000 implements MigrationInterface {
  readonly name = 'Jobs1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE jobs (
        resource text NOT NULL,
        id text NOT NULL,
        task text NOT NULL,
        attempt integer NOT NULL,
        context jsonb NOT NULL,
        priority smallint NOT NULL DEFAULT 0,
        failures smallint NOT NULL DEFAULT 0,
        nudged_at timestamptz NOT NULL DEFAULT now(),
        run_at timestamptz,
        worker text,
        CONSTRAINT jobs_pkey PRIMARY KEY (resource, id),
        CONSTRAINT jobs_wanted_check CHECK (run_at IS NOT NULL OR worker IS NOT NULL)
      )`);
    await runner.query('CREATE INDEX jobs_due_idx ON jobs (priority, run_at) WHERE worker IS NULL');
    await keepEarlierJobs(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jobs');
  }
}

async function keepEarlierJobs(runner: QueryRunner): Promise<void> {
  if (!(await runner.hasTable('graphile_worker._private_jobs'))) return;
  await runner.query(`
    INSERT INTO jobs (resource, id, task, attempt, context, priority, run_at)
    SELECT DISTINCT ON (payload->>'resource', payload->>'id')
           payload->>'resource', payload->>'id', identifier,
           coalesce((payload->>'attempt')::integer, 0), payload->'context', priority, run_at
      FROM graphile_worker._private_jobs AS job
      JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     WHERE payload->>'resource' IS NOT NULL AND payload->>'id' IS NOT NULL
       AND payload->'context' IS NOT NULL
     ORDER BY payload->>'resource', payload->>'id', key NULLS LAST, run_at`);
  await runner.query('DELETE FROM graphile_worker._private_jobs WHERE locked_by IS NULL');
}

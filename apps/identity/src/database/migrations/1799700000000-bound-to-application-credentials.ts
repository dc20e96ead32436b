import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a token of an application credential makes, and its holder can present again, ends with that
 * application credential: credentials, further application credentials, trusts to users.
 */
export class BoundToApplicationCredentials1799700000000 implements MigrationInterface {
  readonly name = 'BoundToApplicationCredentials1799700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE credentials
        ADD COLUMN application_credential_id text
          CONSTRAINT credentials_application_credential_id_fkey
          REFERENCES application_credentials ON DELETE CASCADE,
        ADD COLUMN is_maker_known boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT credentials_binding_check
          CHECK (trust_id IS NULL OR application_credential_id IS NULL)`);
    // A process of the version before may go on inserting rows: their maker is not known either.
    await runner.query('UPDATE credentials SET is_maker_known = true WHERE trust_id IS NOT NULL');
    await runner.query(`
      CREATE INDEX credentials_application_credential_id_idx
        ON credentials (application_credential_id)`);
    await runner.query(`
      CREATE INDEX credentials_unknown_maker_idx ON credentials (created_at, id)
       WHERE type = 'ec2' AND NOT is_maker_known`);
    await runner.query(`
      ALTER TABLE application_credentials
        ADD COLUMN parent_id text
          CONSTRAINT application_credentials_parent_id_fkey
          REFERENCES application_credentials ON DELETE CASCADE`);
    await runner.query(
      'CREATE INDEX application_credentials_parent_id_idx ON application_credentials (parent_id)',
    );
    await runner.query(`
      ALTER TABLE trusts
        ADD COLUMN application_credential_id text
          CONSTRAINT trusts_application_credential_id_fkey
          REFERENCES application_credentials ON DELETE CASCADE`);
    await runner.query(
      'CREATE INDEX trusts_application_credential_id_idx ON trusts (application_credential_id)',
    );
  }

  /** Without what they are bound to, they would act with all roles of their user, and for ever. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM trusts WHERE application_credential_id IS NOT NULL');
    await runner.query('DELETE FROM credentials WHERE application_credential_id IS NOT NULL');
    await runner.query('DELETE FROM application_credentials WHERE parent_id IS NOT NULL');
    await runner.query('ALTER TABLE trusts DROP COLUMN application_credential_id');
    await runner.query('ALTER TABLE application_credentials DROP COLUMN parent_id');
    await runner.query(
      'ALTER TABLE credentials DROP COLUMN application_credential_id, DROP COLUMN is_maker_known',
    );
  }
}

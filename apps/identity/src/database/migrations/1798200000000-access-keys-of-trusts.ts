import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An access key can be of a trust, with which it goes. */
export class AccessKeysOfTrusts1798200000000 implements MigrationInterface {
  readonly name = 'AccessKeysOfTrusts1798200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE credentials
        ADD COLUMN trust_id text
          CONSTRAINT credentials_trust_id_fkey REFERENCES trusts ON DELETE CASCADE`);
    await runner.query('CREATE INDEX credentials_trust_id_idx ON credentials (trust_id)');
  }

  /** Without its trust, such a key would act with all roles of its user. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM credentials WHERE trust_id IS NOT NULL');
    await runner.query('ALTER TABLE credentials DROP COLUMN trust_id');
  }
}

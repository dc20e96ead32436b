import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens that open consoles. */
export class ConsoleTokens1796330500000 implements MigrationInterface {
  readonly name = 'ConsoleTokens1796330500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_tokens (
        token_hash text NOT NULL,
        server_id uuid NOT NULL,
        type text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT console_tokens_pkey PRIMARY KEY (token_hash),
        CONSTRAINT console_tokens_server_fkey FOREIGN KEY (server_id)
          REFERENCES servers (id) ON DELETE CASCADE,
        CONSTRAINT console_tokens_type_check CHECK (type IN ('novnc', 'serial'))
      )`);
    await runner.query('CREATE INDEX console_tokens_server_idx ON console_tokens (server_id)');
    await runner.query('CREATE INDEX console_tokens_expiry_idx ON console_tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console_tokens');
  }
}

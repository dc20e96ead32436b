import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Actions that attach or detach a NIC end with the NIC's outcome, not with the server's state. */
export class ActionsOnCards1796340100000 implements MigrationInterface {
  readonly name = 'ActionsOnCards1796340100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instance_actions ADD COLUMN nic_id uuid');
    await runner.query(finishActionsOfServer('AND nic_id IS NULL'));
    await runner.query(`
      CREATE FUNCTION finish_actions_on_card() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        failed boolean := TG_ARGV[0] = 'failed';
      BEGIN
        UPDATE instance_actions
           SET finished_at = clock_timestamp(), updated_at = clock_timestamp(), host = OLD.host,
               result = CASE WHEN failed THEN 'Error' ELSE 'Success' END,
               message = CASE WHEN failed THEN
                 coalesce(NEW.state_reason, 'It was overtaken by the action ''detach_interface''.')
               END
         WHERE server_id = OLD.server_id AND nic_id = OLD.id AND finished_at IS NULL
           AND action = TG_ARGV[1];
        RETURN NULL;
      END $$`);
    for (const [name, on, when, outcome, action] of TRIGGERS) {
      await runner.query(`
        CREATE TRIGGER ${name} AFTER ${on} ON server_nics FOR EACH ROW WHEN (${when})
          EXECUTE FUNCTION finish_actions_on_card('${outcome}', '${action}')`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of TRIGGERS) await runner.query(`DROP TRIGGER ${name} ON server_nics`);
    await runner.query('DROP FUNCTION finish_actions_on_card');
    await runner.query(finishActionsOfServer(''));
    await runner.query('ALTER TABLE instance_actions DROP COLUMN nic_id');
  }
}

const [ATTACH, DETACH] = ['attach_interface', 'detach_interface'];
const attachingTo = (states: string): string =>
  `OLD.state = 'attaching' AND NEW.state IN (${states})`;

/** Name, statement, condition, outcome, action. A NIC counts as detached once its row is gone. */
const TRIGGERS = [
  ['card_attached', 'UPDATE', attachingTo("'attached'"), 'done', ATTACH],
  ['card_not_attached', 'UPDATE', attachingTo("'releasing', 'detaching'"), 'failed', ATTACH],
  [
    'card_not_detached',
    'UPDATE',
    "OLD.state = 'detaching' AND NEW.state = 'attached'",
    'failed',
    DETACH,
  ],
  ['card_detached', 'DELETE', 'true', 'done', DETACH],
] as const;

function finishActionsOfServer(which: string): string {
  return `
    CREATE OR REPLACE FUNCTION finish_actions_of_settled_server() RETURNS trigger
    LANGUAGE plpgsql AS $$
    DECLARE
      -- Work that succeeds keeps the reason that it was begun for; one that fails has a new one.
      failed boolean := NEW.state = 'error'
        OR NEW.state_reason IS NOT NULL AND NEW.state_reason IS DISTINCT FROM OLD.state_reason;
    BEGIN
      UPDATE instance_actions
         SET finished_at = clock_timestamp(), updated_at = clock_timestamp(),
             host = coalesce(NEW.host, OLD.host),
             result = CASE WHEN failed THEN 'Error' ELSE 'Success' END,
             message = CASE WHEN failed THEN NEW.state_reason END
       WHERE server_id = NEW.id AND finished_at IS NULL ${which};
      RETURN NULL;
    END $$`;
}

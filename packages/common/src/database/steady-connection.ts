import type pg from 'pg';

/**
 * A connection whose end does not end the process, from when it is made. Postgres may cut one in the
 * moment between the pool's listening to its errors and its next user's, and an error event that
 * nobody hears is thrown. Whoever uses the connection learns of it by the statement that fails.
 */
export function steady(connection: Pick<pg.ClientBase, 'on'>): void {
  connection.on('error', () => undefined);
}

import pg from 'pg';

/**
 * A connection whose end does not end the process. Postgres may cut one in the moment between the pool's
 * listening to its errors and its next user's, and an error event that nobody hears is thrown.
 * Whoever uses the connection learns of it by the statement that fails.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

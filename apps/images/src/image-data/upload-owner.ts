import { randomUUID } from 'node:crypto';
import { databaseUrlOf } from '@cumulet/common/database/data-source';
import { Liveness } from '@cumulet/common/jobs/liveness';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

/**
 * This process, as the owner of the uploads that it receives. It holds an advisory lock for as
 * long as it lives; who can take that lock knows that its uploads are dead.
 */
export class UploadOwner {
  readonly id = `upload:${randomUUID()}`;
  readonly #liveness: Liveness;

  constructor(dataSource: DataSource, logger: Logger) {
    this.#liveness = new Liveness(databaseUrlOf(dataSource), (error) =>
      logger.warn({ err: error }, 'lost the connection that shows running uploads to be alive'),
    );
  }

  start(): Promise<void> {
    return this.#liveness.hold(this.id);
  }

  stop(): Promise<void> {
    return this.#liveness.stop();
  }
}

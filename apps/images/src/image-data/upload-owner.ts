import { randomUUID } from 'node:crypto';
import { databaseUrlOf } from '@cumulet/common/database/data-source';
import { Liveness } from '@cumulet/common/jobs/liveness';
import { BeforeStart } from '@cumulet/common/service/background';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { IMAGES_LOGGER } from '../injection-tokens.js';

/**
 * This process, as the owner of the uploads that it receives. It holds an advisory lock for as
 * long as it lives; who can take that lock knows that its uploads are dead.
 */
@Injectable()
export class UploadOwner implements OnApplicationShutdown {
  readonly id = `upload:${randomUUID()}`;
  readonly #liveness: Liveness;

  constructor(dataSource: DataSource, @Inject(IMAGES_LOGGER) logger: Logger) {
    this.#liveness = new Liveness(databaseUrlOf(dataSource), (error) =>
      logger.warn({ err: error }, 'lost the connection that shows running uploads to be alive'),
    );
  }

  @BeforeStart()
  start(): Promise<void> {
    return this.#liveness.hold(this.id);
  }

  onApplicationShutdown(): Promise<void> {
    return this.#liveness.stop();
  }
}

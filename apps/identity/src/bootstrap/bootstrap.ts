/**
 * Creates the rows that every cloud needs, at each start.
 *
 * Always holds: it runs in one transaction under a lock, so that replicas that start together
 * create everything once; existing rows stay as they are, except a password whose setting has
 * changed, and disabled rows that the cloud requires.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { BeforeStart } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { KeyRotation } from '../signing-keys/signing-keys.sweep.js';
import { seedOf } from './seed.js';
import { SeedCatalog } from './seed-catalog.js';
import { SeedDirectory, SeedPasswords } from './seed-directory.js';

const LOCK = 'cumulet:identity:bootstrap';

@Injectable()
export class Bootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keys: KeyRotation,
    private readonly directory: SeedDirectory,
    private readonly catalog: SeedCatalog,
  ) {}

  @BeforeStart()
  async run(ctx: RequestContext): Promise<void> {
    const enabled = await inTransaction(ctx, async (tx) => {
      await transactionLock(tx.manager, LOCK);
      await this.keys.ensureFirst(tx);
      const seed = seedOf(this.config);
      await this.directory.ensure(tx, seed);
      await this.catalog.ensure(tx);
      return this.directory.enable(tx, seed);
    });
    if (Object.values(enabled).some((names) => names.length > 0))
      this.logger.warn({ enabled }, 'enabled what the cloud requires');
  }
}

@Feature({ providers: [Bootstrap, SeedCatalog, SeedDirectory, SeedPasswords] })
export class BootstrapModule {}

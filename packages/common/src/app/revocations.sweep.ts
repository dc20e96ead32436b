/**
 * Keeps a token verifier's revocation events fresh.
 *
 * Always holds: while identity is unreachable the last known events stay in force, and the outage
 * is logged once at its start and once at its end.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { TokenVerifier } from '../auth/token-verifier.js';
import type { RequestContext } from '../context/request-context.js';
import { SweepEvery } from '../service/background.js';
import type { ServiceConfig } from '../service/service-settings.js';
import { LOGGER } from '../service/tokens.js';

@Injectable()
export class RevocationRefresh {
  #failing = false;

  constructor(
    @Inject(TokenVerifier) private readonly verifier: Pick<TokenVerifier, 'refresh'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SweepEvery(({ revocationRefresh }: ServiceConfig) => revocationRefresh, 'revocations', {
    local: true,
    everywhere: true,
  })
  async run(_ctx: RequestContext, stopping?: AbortSignal): Promise<void> {
    try {
      await this.verifier.refresh();
    } catch (error) {
      if (!this.#failing && !stopping?.aborted)
        this.logger.warn({ err: error }, 'cannot read revocations; the last known stay in force');
      this.#failing = true;
      return;
    }
    if (this.#failing) this.logger.info('revocations can be read again');
    this.#failing = false;
  }
}

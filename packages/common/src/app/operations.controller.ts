import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import type { Logger } from 'pino';
import { Public } from '../auth/access.js';
import { UnavailableError } from '../errors/domain-error.js';
import { Drain } from '../service/drain.js';
import type { RequestContext } from '../context/request-context.js';
import { SweepEvery } from '../service/background.js';
import type { ServiceConfig } from '../service/service-settings.js';
import { LOGGER } from '../service/tokens.js';
import { TokenVerifier } from '../auth/token-verifier.js';

/** Liveness and readiness probes of every service. */
@ApiExcludeController()
@Controller()
export class OperationsController {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Drain) private readonly drain: Drain,
  ) {}

  @Get('healthz')
  @Public()
  health(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async ready(): Promise<{ status: 'ready' }> {
    this.drain.requireReady();
    try {
      await this.dataSource.query('SELECT 1');
    } catch (cause) {
      throw new UnavailableError('The service cannot reach its database at present.', { cause });
    }
    return { status: 'ready' };
  }
}

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

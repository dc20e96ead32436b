import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { Public } from '../auth/access.js';
import { UnavailableError } from '../errors/domain-error.js';
import { Drain } from '../service/drain.js';

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

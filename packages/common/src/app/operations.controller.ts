import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.js';
import { Drain } from '../service/drain.js';
import { Readiness } from '../service/readiness.js';
import { DatabaseWatch } from './database-watch.js';

/** Liveness and readiness probes of every service. */
@ApiExcludeController()
@Controller()
export class OperationsController {
  constructor(
    @Inject(DatabaseWatch) private readonly database: DatabaseWatch,
    @Inject(Readiness) private readonly readiness: Readiness,
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
    await this.database.look();
    this.readiness.requireReady();
    return { status: 'ready' };
  }
}

/** Public source: Container Infrastructure Management API reference, "Manage Magnum service". */
import { Controller, Get } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Engine, Engines, REPORT_SECONDS, type KnownEngine } from '@cumulet/common/engines/engines';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { magnumTime } from '../http/time.js';

/** Magnum's name for the worker process, which its clients look for. */
const BINARY = 'magnum-conductor';

const ServiceView = answerClass('ServiceView', {
  id: Shown('integer', 'The number of the process in this list.'),
  host: Shown(String, 'The host of the process.'),
  binary: Shown(String, 'The name of the program.'),
  state: Shown(String, 'Whether the process is alive.', { enum: ['up', 'down'] }),
  report_count: Shown('integer', 'The number of reports.'),
  disabled: Shown(Boolean, 'Always false.'),
  disabled_reason: Shown(String, 'Always null.', { nullable: true }),
  created_at: Shown('date-time', 'When it started.'),
  updated_at: Shown('date-time', 'When it last reported.'),
});

const ServiceList = allUnder('mservices', ServiceView, 'The processes that work on clusters.');

@Controller('v1/mservices')
export class ServicesController {
  constructor(private readonly engines: Engines) {}

  @Get()
  @Allow('admin')
  @Operation('List the processes that work on clusters', ServiceList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { mservices: (await this.engines.list(ctx)).map(serviceView) };
  }
}

function serviceView({ host, createdAt, seenAt, isUp }: KnownEngine, at: number): object {
  const seconds = (seenAt.getTime() - createdAt.getTime()) / 1_000;
  return {
    id: at + 1,
    host,
    binary: BINARY,
    state: isUp ? 'up' : 'down',
    report_count: 1 + Math.round(seconds / REPORT_SECONDS),
    disabled: false,
    disabled_reason: null,
    created_at: magnumTime(createdAt),
    updated_at: magnumTime(seenAt),
  };
}

@Feature({ controllers: [ServicesController], providers: [Engines], entities: [Engine] })
export class ServicesModule {}

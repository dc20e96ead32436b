/** Public source: Orchestration API reference, "Manage service". */
import { Controller, Get } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { heatTime } from '../http/links.js';
import { Engine, Engines, REPORT_SECONDS, type KnownEngine } from '@cumulet/common/engines/engines';

const BINARY = 'cumulet-orchestration';

const EngineView = answerClass('EngineView', {
  id: Shown(String, 'The ID.'),
  engine_id: Shown(String, 'The name, again.'),
  binary: Shown(String, 'The program.'),
  host: Shown(String, 'The availability zone.'),
  hostname: Shown(String, 'The name, again.'),
  topic: Shown(String, 'What it does: engine.'),
  report_interval: Shown('integer', 'Seconds between two signs of life.'),
  created_at: Shown('date-time', 'When it started.'),
  updated_at: Shown('date-time', 'When it last gave a sign of life.'),
  deleted_at: Shown('date-time', 'Always null.', { nullable: true }),
  status: Shown(String, 'Whether it lives.', { enum: ['up', 'down'] }),
});

const ServiceList = allUnder('services', EngineView, 'The processes that work on stacks.');

@Controller('services')
export class ServicesController {
  constructor(private readonly engines: Engines) {}

  /** For administrators, Heat's default. */
  @Get()
  @Allow('admin')
  @Operation('List the processes that work on stacks', ServiceList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { services: (await this.engines.list(ctx)).map(engineView) };
  }
}

function engineView({ id, host, createdAt, seenAt, isUp }: KnownEngine): object {
  return {
    id,
    engine_id: id,
    binary: BINARY,
    host,
    hostname: host,
    topic: 'engine',
    report_interval: REPORT_SECONDS,
    created_at: heatTime(createdAt),
    updated_at: heatTime(seenAt),
    deleted_at: null,
    status: isUp ? 'up' : 'down',
  };
}

@Feature({ controllers: [ServicesController], providers: [Engines], entities: [Engine] })
export class ServicesModule {}

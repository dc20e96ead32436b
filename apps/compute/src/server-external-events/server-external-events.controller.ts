import { Body, Controller, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import {
  ServerExternalEventsAnswer,
  ServerExternalEventsBody,
} from './server-external-event.dto.js';
import { ServerExternalEventsService } from './server-external-events.service.js';

@Controller('os-server-external-events')
export class ServerExternalEventsController {
  constructor(private readonly events: ServerExternalEventsService) {}

  @Post()
  @Allow('service', 'admin')
  @Operation('Create external events', ServerExternalEventsAnswer, {
    description: 'For sister services. 207 if some of the events were not accepted.',
    status: 200,
    creates: false,
    also: { 207: ServerExternalEventsAnswer },
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { events }: ServerExternalEventsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const answered = await this.events.accept(ctx, events);
    if (answered.some(({ code }) => code !== 200)) void reply.status(207);
    return { events: answered };
  }
}

@Feature({
  controllers: [ServerExternalEventsController],
  providers: [ServerExternalEventsService],
})
export class ServerExternalEventsModule {}

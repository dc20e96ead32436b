import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { OfStack, type StackPath } from '../http/stack-path.js';
import type { Query } from '../http/query.js';
import { EVENT_LIST_PARAMETERS } from './event.query.js';
import { EventRepository } from './event.repository.js';
import { EventAnswer, EventList, eventSummary, eventView } from './event.view.js';
import { EventsService, type EventPage, type FoundEvent } from './events.service.js';
import { StackEvent } from '../rows/stack-event.entity.js';

@Controller('stacks/:stack_name/:stack_id')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get('events')
  @Allow('reader')
  @ApiQueries(EVENT_LIST_PARAMETERS)
  @Operation('List stack events', EventList)
  async list(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @QueryOf() query: object,
  ): Promise<object> {
    return listed(ctx, await this.events.list(ctx, path, query as Query));
  }

  @Get('events/:event_id')
  @Allow('reader')
  @Operation('Show a stack event', EventAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('event_id') eventId: string,
  ): Promise<object> {
    return shown(ctx, await this.events.find(ctx, path, eventId));
  }

  @Get('resources/:resource_name/events')
  @Allow('reader')
  @ApiQueries(EVENT_LIST_PARAMETERS)
  @Operation('List resource events', EventList)
  async listOfResource(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('resource_name') resource: string,
    @QueryOf() query: object,
  ): Promise<object> {
    return listed(ctx, await this.events.list(ctx, path, query as Query, resource));
  }

  @Get('resources/:resource_name/events/:event_id')
  @Allow('reader')
  @Operation('Show a resource event', EventAnswer)
  async showOfResource(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('resource_name') resource: string,
    @Param('event_id') eventId: string,
  ): Promise<object> {
    return shown(ctx, await this.events.find(ctx, path, eventId, resource));
  }
}

function listed(ctx: RequestContext, { stack, isNested, events }: EventPage): object {
  return { events: events.map((one) => eventSummary(ctx, one, isNested ? stack : undefined)) };
}

function shown(ctx: RequestContext, { event, properties }: FoundEvent): object {
  return { event: eventView(ctx, event, properties) };
}

@Feature({
  controllers: [EventsController],
  providers: [EventRepository, EventsService],
  entities: [StackEvent],
})
export class EventsModule {}

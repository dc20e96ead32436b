/** Public source: Key Manager API reference, "Consumers API". */
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { equals } from '@cumulet/common/tables/condition';
import { Permits } from '../access/access.js';
import { containerView, ContainerView } from '../containers/container.dto.js';
import { containers, type ContainerId } from '../containers/container.entity.js';
import { pageOf, PageQuery, pageView } from '../http/pages.js';
import {
  containerConsumerView,
  ContainerConsumerDto,
  ContainerConsumerPage,
} from './consumer.dto.js';
import { containerConsumers, ContainerConsumerRow, SecretConsumerRow } from './consumer.entity.js';
import { ConsumersService } from './consumers.service.js';
import { SecretConsumersController } from './secret-consumers.controller.js';

@ApiTags('consumers')
@Controller('v1/containers/:container_id/consumers')
export class ContainerConsumersController {
  constructor(private readonly consumers: ConsumersService) {}

  @Get()
  @Permits('container_consumers:get')
  @Operation('List the consumers of a container', ContainerConsumerPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Query() query: PageQuery,
  ): Promise<object> {
    await containers.permitted(ctx, id, 'container_consumers:get');
    const page = await pageOf(ctx, containerConsumers, query, {
      scope: [equals('containerId', id)],
      sort: [{ by: 'createdAt', descending: false }],
    });
    return pageView(ctx, 'consumers', page, containerConsumerView);
  }

  /** Idempotent by itself: the same consumer is registered once. */
  @Post()
  @Permits('container_consumers:post')
  @Operation('Register a consumer of a container', ContainerView, { status: 200, creates: true })
  async register(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Body() body: ContainerConsumerDto,
  ): Promise<ContainerView> {
    await this.consumers.register(ctx, containerConsumers, consumerOf(id, body), (tx) =>
      containers.held(tx, id, 'container_consumers:post'),
    );
    return containerView(ctx)(await containers.get(ctx, id));
  }

  @Delete()
  @Permits('container_consumers:delete')
  @Operation('Remove a consumer of a container', ContainerView)
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Body() body: ContainerConsumerDto,
  ): Promise<ContainerView> {
    await this.consumers.remove(ctx, containerConsumers, consumerOf(id, body), (tx) =>
      containers.held(tx, id, 'container_consumers:delete'),
    );
    return containerView(ctx)(await containers.get(ctx, id));
  }
}

function consumerOf(
  containerId: ContainerId,
  { name, URL: url }: ContainerConsumerDto,
): Partial<ContainerConsumerRow> {
  return { containerId, name, url };
}

@Feature({
  controllers: [SecretConsumersController, ContainerConsumersController],
  providers: [ConsumersService],
  entities: [SecretConsumerRow, ContainerConsumerRow],
})
export class ConsumersModule {}

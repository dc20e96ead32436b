import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Permits } from '../access/access.js';
import { pageView } from '../http/pages.js';
import { containerRef } from '../http/refs.js';
import {
  Container,
  ContainerPage,
  ContainerRefView,
  ContainerSecret,
  containerView,
  ContainerView,
  ListContainersQuery,
  NewContainerDto,
  SecretRefDto,
  type ContainerId,
} from './container.resource.js';
import { ContainersService } from './containers.service.js';

/** Public source: Key Manager API reference, "Containers API". */
@Controller('v1/containers')
export class ContainersController {
  constructor(private readonly containers: ContainersService) {}

  @Get()
  @Allow('member')
  @Operation('List containers', ContainerPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListContainersQuery): Promise<object> {
    const page = await this.containers.list(ctx, query);
    return pageView(ctx, 'containers', page, containerView(ctx));
  }

  @Post()
  @Allow('member')
  @Operation('Create a container', ContainerRefView, { creates: true, errors: [404] })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: NewContainerDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return created(ctx, await this.containers.create(ctx, body), reply);
  }

  @Get(':container_id')
  @Permits('container:get')
  @Operation('Show a container', ContainerView)
  async show(@Ctx() ctx: RequestContext, @Param('container_id') id: ContainerId): Promise<object> {
    return containerView(ctx)(await this.containers.show(ctx, id));
  }

  @Delete(':container_id')
  @Permits('container:delete')
  @Operation('Delete a container', null)
  async delete(@Ctx() ctx: RequestContext, @Param('container_id') id: ContainerId): Promise<void> {
    await this.containers.delete(ctx, id);
  }

  @Post(':container_id/secrets')
  @Permits('container_secret:post')
  @Operation('Add a secret to a container', ContainerRefView, { creates: true, errors: [409] })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Body() body: SecretRefDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    await this.containers.add(ctx, id, body);
    return created(ctx, id, reply);
  }

  @Delete(':container_id/secrets')
  @Permits('container_secret:delete')
  @Operation('Remove a secret from a container', null)
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Body() body: SecretRefDto,
  ): Promise<void> {
    await this.containers.remove(ctx, id, body);
  }
}

function created(ctx: RequestContext, id: ContainerId, reply: FastifyReply): object {
  const ref = containerRef(ctx, id);
  void reply.header('Location', ref);
  return { container_ref: ref };
}

@Feature({
  controllers: [ContainersController],
  providers: [ContainersService],
  entities: [Container, ContainerSecret],
})
export class ContainersModule {}

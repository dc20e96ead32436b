import { Body, Controller, Delete, Get, Param, Post, Put, Query as QueryOf } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import type { Query } from '../http/query.js';
import {
  DeploymentMetadata,
  NewSoftwareDeploymentDto,
  SoftwareDeploymentAnswer,
  SoftwareDeploymentDto,
  SoftwareDeploymentList,
} from './software-deployment.dto.js';
import { SoftwareDeployment } from './software-deployment.entity.js';
import { softwareDeploymentView } from './software-deployment.view.js';
import { SoftwareDeploymentsService } from './software-deployments.service.js';

@Controller('software_deployments')
export class SoftwareDeploymentsController {
  constructor(private readonly deployments: SoftwareDeploymentsService) {}

  @Get()
  @Allow('reader')
  @ApiQueries(['server_id'])
  @Operation('List software deployments', SoftwareDeploymentList, { errors: [400] })
  async list(@Ctx() ctx: RequestContext, @QueryOf() query: object): Promise<object> {
    const [serverId] = valuesOf(query as Query, 'server_id');
    const rows = await this.deployments.list(ctx, serverId);
    return { software_deployments: rows.map((row) => this.#view(row)) };
  }

  @Post()
  @Allow('member')
  @Operation('Create a software deployment', SoftwareDeploymentAnswer, {
    status: 200,
    creates: true,
    errors: [404],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: NewSoftwareDeploymentDto,
  ): Promise<object> {
    return { software_deployment: this.#view(await this.deployments.create(ctx, body)) };
  }

  /** Empty for an unknown server, because this service does not know which servers exist. */
  @Get('metadata/:server_id')
  @Allow('reader')
  @Operation('Show the configs that are deployed to a server', DeploymentMetadata)
  async metadata(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    return { metadata: await this.deployments.metadataOf(ctx, id) };
  }

  @Get(':deployment_id')
  @Allow('reader')
  @Operation('Show a software deployment', SoftwareDeploymentAnswer)
  async show(@Ctx() ctx: RequestContext, @Param('deployment_id') id: string): Promise<object> {
    return { software_deployment: this.#view(await this.deployments.find(ctx, id)) };
  }

  @Put(':deployment_id')
  @Allow('member')
  @Operation('Update a software deployment', SoftwareDeploymentAnswer)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('deployment_id') id: string,
    @Body() body: SoftwareDeploymentDto,
  ): Promise<object> {
    return { software_deployment: this.#view(await this.deployments.update(ctx, id, body)) };
  }

  @Delete(':deployment_id')
  @Allow('member')
  @Operation('Delete a software deployment', null)
  async delete(@Ctx() ctx: RequestContext, @Param('deployment_id') id: string): Promise<void> {
    await this.deployments.delete(ctx, id);
  }

  #view(row: SoftwareDeployment): object {
    return softwareDeploymentView(row, this.deployments.valuesOf(row));
  }
}

@Feature({
  controllers: [SoftwareDeploymentsController],
  providers: [SoftwareDeploymentsService],
  entities: [SoftwareDeployment],
})
export class SoftwareDeploymentsModule {}

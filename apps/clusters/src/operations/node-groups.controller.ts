import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { columnsGiven } from '@cumulet/common/resources/classes';
import { Feature } from '@cumulet/common/service/feature';
import { nextOf } from '../http/paging.js';
import { changesOf } from '../patches/json-patch.js';
import { PATCH_SCHEMA } from '../patches/patch-schema.js';
import { needsVersion, SINCE } from '../http/microversions.js';
import {
  ListNodeGroupsQuery,
  NODE_GROUP,
  NodeGroup,
  NodeGroupDto,
  NodeGroupList,
  NodeGroupSummary,
  nodeGroupView,
  NodeGroupView,
} from '../node-groups/node-group.resource.js';
import { NodeGroupsService } from './node-groups.service.js';

@Controller('v1/clusters/:cluster_ident/nodegroups')
export class NodeGroupsController {
  constructor(private readonly groups: NodeGroupsService) {}

  @Get()
  @Allow('reader')
  @Operation('List the node groups of a cluster', NodeGroupList, { errors: [406, 409] })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') clusterIdent: string,
    @Query() query: ListNodeGroupsQuery,
  ): Promise<object> {
    known(ctx);
    const { cluster, page } = await this.groups.list(ctx, clusterIdent, query);
    return {
      nodegroups: page.rows.map(nodeGroupView(ctx, cluster, NodeGroupSummary)),
      ...nextOf(ctx, `clusters/${cluster.id}/nodegroups`, query, page),
    };
  }

  @Post()
  @Allow('member')
  @Operation('Create a node group', NodeGroupView, {
    status: 202,
    creates: true,
    errors: [406, 409, 413],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') clusterIdent: string,
    @Body() body: NodeGroupDto,
  ): Promise<object> {
    known(ctx);
    const { cluster, group } = await this.groups.create(
      ctx,
      clusterIdent,
      columnsGiven(NODE_GROUP, body),
    );
    return nodeGroupView(ctx, cluster)(group);
  }

  @Get(':nodegroup_ident')
  @Allow('reader')
  @Operation('Show a node group', NodeGroupView, { errors: [406, 409] })
  async show(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') clusterIdent: string,
    @Param('nodegroup_ident') ident: string,
  ): Promise<object> {
    known(ctx);
    const { cluster, group } = await this.groups.get(ctx, clusterIdent, ident);
    return nodeGroupView(ctx, cluster)(group);
  }

  @Patch(':nodegroup_ident')
  @Allow('member')
  @ApiBody({ schema: PATCH_SCHEMA })
  @Operation('Update a node group', NodeGroupView, { status: 202, errors: [406, 409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') clusterIdent: string,
    @Param('nodegroup_ident') ident: string,
    @Req() { body }: FastifyRequest,
  ): Promise<object> {
    known(ctx);
    const changes = changesOf(body);
    const { cluster, group } = await this.groups.update(ctx, clusterIdent, ident, changes);
    return nodeGroupView(ctx, cluster)(group);
  }

  @Delete(':nodegroup_ident')
  @Allow('member')
  @Operation('Delete a node group', null, { errors: [406, 409] })
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') clusterIdent: string,
    @Param('nodegroup_ident') ident: string,
  ): Promise<void> {
    known(ctx);
    await this.groups.delete(ctx, clusterIdent, ident);
  }
}

function known(ctx: RequestContext): void {
  needsVersion(ctx, SINCE.nodeGroups, 'The API of node groups');
}

@Feature({
  controllers: [NodeGroupsController],
  providers: [NodeGroupsService],
  entities: [NodeGroup],
})
export class NodeGroupsModule {}

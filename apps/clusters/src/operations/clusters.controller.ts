import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { columnsGiven } from '@cumulet/common/resources/classes';
import { Feature } from '@cumulet/common/service/feature';
import { Cluster } from '../clusters/cluster.entity.js';
import { nextOf } from '../http/paging.js';
import { changesOf } from '../patches/json-patch.js';
import { PATCH_SCHEMA } from '../patches/patch-schema.js';
import { needsVersion, SINCE } from '../http/microversions.js';
import { HealthSweep } from '../health/health.sweep.js';
import { Healing } from '../health/healing.js';
import { AwaitNodes } from '../work/await-nodes.js';
import { ClusterReconciler } from '../work/cluster.reconciler.js';
import { EndWork } from '../work/end-work.js';
import { FollowStack } from '../work/follow-stack.js';
import { MakeNodes } from '../work/make-nodes.js';
import { RemoveCluster } from '../work/remove-cluster.js';
import { ResizeDto, UpdateClusterQuery, UpgradeDto } from './cluster.dto.js';
import {
  CLUSTER,
  ClusterDetailList,
  ClusterDto,
  ClusterSummary,
  ListClustersQuery,
  ClusterList,
  ClusterRef,
  clusterView,
  ClusterView,
} from '../clusters/cluster.resource.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import { ClusterChangesService } from './cluster-changes.service.js';
import { ClusterReferences } from './cluster-references.js';
import { ClusterUpgradesService } from './cluster-upgrades.service.js';
import { ClustersService } from './clusters.service.js';

@Controller('v1/clusters')
export class ClustersController {
  constructor(
    private readonly clusters: ClustersService,
    private readonly changes: ClusterChangesService,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('List clusters', ClusterList, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListClustersQuery): Promise<object> {
    const page = await this.clusters.list(ctx, query);
    return {
      clusters: page.rows.map(clusterView(ctx, ClusterSummary)),
      ...nextOf(ctx, 'clusters', query, page),
    };
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List clusters with details', ClusterDetailList, { errors: [404] })
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListClustersQuery): Promise<object> {
    const page = await this.clusters.list(ctx, query);
    return {
      clusters: page.rows.map(clusterView(ctx)),
      ...nextOf(ctx, 'clusters/detail', query, page),
    };
  }

  @Post()
  @Allow('member')
  @Operation('Create a cluster', ClusterRef, {
    status: 202,
    creates: true,
    errors: [404, 409, 413],
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: ClusterDto): Promise<object> {
    return { uuid: await this.clusters.create(ctx, columnsGiven(CLUSTER, body)) };
  }

  @Get(':cluster_ident')
  @Allow('reader')
  @Operation('Show a cluster', ClusterView, { errors: [409] })
  async show(@Ctx() ctx: RequestContext, @Param('cluster_ident') ident: string): Promise<object> {
    return clusterView(ctx)(await this.clusters.get(ctx, ident));
  }

  @Patch(':cluster_ident')
  @Allow('member')
  @ApiBody({ schema: PATCH_SCHEMA })
  @Operation('Update a cluster', ClusterRef, { status: 202, errors: [406, 409, 413] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') ident: string,
    @Query() { rollback = false }: UpdateClusterQuery,
    @Req() { body }: FastifyRequest,
  ): Promise<object> {
    if (rollback) needsVersion(ctx, SINCE.rollback, 'To roll back a change that fails');
    return { uuid: await this.changes.update(ctx, ident, changesOf(body), rollback) };
  }

  @Delete(':cluster_ident')
  @Allow('member')
  @Operation('Delete a cluster', null, { errors: [409] })
  async delete(@Ctx() ctx: RequestContext, @Param('cluster_ident') ident: string): Promise<void> {
    await this.clusters.delete(ctx, ident);
  }
}

/** Public source: "Resize a cluster" and "Upgrade a cluster". */
@ApiTags('clusters')
@Controller('v1/clusters/:cluster_ident/actions')
export class ClusterActionsController {
  constructor(
    private readonly changes: ClusterChangesService,
    private readonly upgrades: ClusterUpgradesService,
  ) {}

  @Post('resize')
  @Allow('member')
  @Operation('Resize a cluster', ClusterRef, {
    status: 202,
    creates: false,
    errors: [406, 409, 413],
  })
  async resize(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') ident: string,
    @Body() body: ResizeDto,
  ): Promise<object> {
    needsVersion(ctx, SINCE.resize, 'To resize a cluster');
    return { uuid: await this.changes.resize(ctx, ident, body) };
  }

  @Post('upgrade')
  @Allow('member')
  @Operation('Upgrade a cluster', ClusterRef, { status: 202, creates: false, errors: [406, 409] })
  async upgrade(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') ident: string,
    @Body() body: UpgradeDto,
  ): Promise<object> {
    needsVersion(ctx, SINCE.upgrade, 'To upgrade a cluster');
    return { uuid: await this.upgrades.upgrade(ctx, ident, body) };
  }
}

@Feature({
  controllers: [ClustersController, ClusterActionsController],
  providers: [
    ClusterChangesService,
    ClusterReconciler,
    ClusterReferences,
    ClusterTrusts,
    ClusterUpgradesService,
    ClustersService,
    AwaitNodes,
    EndWork,
    FollowStack,
    HealthSweep,
    Healing,
    MakeNodes,
    RemoveCluster,
  ],
  entities: [Cluster],
})
export class ClustersModule {}

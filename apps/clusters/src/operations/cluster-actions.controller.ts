/** Public source: Container Infrastructure Management API reference, "Resize a cluster" and "Upgrade a cluster". */
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { needsVersion, SINCE } from '../http/microversions.js';
import { ResizeDto, UpgradeDto } from './cluster.dto.js';
import { ClusterRef } from '../clusters/cluster.resource.js';
import { ClusterChangesService } from './cluster-changes.service.js';
import { ClusterUpgradesService } from './cluster-upgrades.service.js';

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

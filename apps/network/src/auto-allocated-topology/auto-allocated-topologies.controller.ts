/** Public source: Networking API reference, "Auto allocated topologies". */
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { AutoAllocatedTopologiesService } from './auto-allocated-topologies.service.js';
import { AutoAllocatedTopology } from './auto-allocated-topology.entity.js';

const DRY_RUN = 'dry-run';

const TopologyView = answerClass('AutoAllocatedTopologyView', {
  id: Shown(String, 'The ID of the network; `dry-run=pass` in the answer to a dry run.'),
  project_id: Shown(String, 'The ID of the project that owns the topology.'),
  tenant_id: Shown(String, 'The same as `project_id`.'),
});

const TopologyBody = shownUnder(
  'auto_allocated_topology',
  TopologyView,
  'The topology of the project.',
);

@ApiTags('auto-allocated-topology')
@Controller('v2.0/auto-allocated-topology')
export class AutoAllocatedTopologiesController {
  constructor(private readonly topologies: AutoAllocatedTopologiesService) {}

  @Get(':project_id')
  @Allow('member')
  @ApiQuery({
    name: 'fields',
    required: false,
    schema: { type: 'string', enum: [DRY_RUN] },
    description: 'Set `dry-run` to check whether a topology could be created, without creating it.',
  })
  @Operation('Show the auto allocated topology of a project, and make it first', TopologyBody, {
    errors: [404, 409, 413],
  })
  async show(
    @Ctx() ctx: RequestContext,
    @Param('project_id') id: string,
    @Query('fields') fields?: unknown,
  ): Promise<object> {
    if (fields === undefined) return shown(await this.topologies.get(ctx, id));
    if (fields !== DRY_RUN) throw new BadRequestError('auto_allocate', 'Unrecognized field');
    await this.topologies.check(ctx, id);
    return shown({ networkId: 'dry-run=pass', projectId: id === 'None' ? ctx.projectId : id });
  }

  @Delete(':project_id')
  @Allow('member')
  @Operation('Delete the auto allocated topology of a project', null, { errors: [404, 409] })
  async remove(@Ctx() ctx: RequestContext, @Param('project_id') id: string): Promise<void> {
    await this.topologies.remove(ctx, id);
  }
}

function shown({ networkId: id, projectId }: Omit<AutoAllocatedTopology, 'routerId'>): object {
  return { auto_allocated_topology: { id, project_id: projectId, tenant_id: projectId } };
}

@Feature({
  controllers: [AutoAllocatedTopologiesController],
  providers: [AutoAllocatedTopologiesService],
  entities: [AutoAllocatedTopology],
})
export class AutoAllocatedTopologiesModule {}

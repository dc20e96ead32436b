/** Public source: Container Infrastructure Management API reference, "Magnum stats". */
import { Controller, Get, Injectable, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';

export class StatsQuery {
  @StringField({
    optional: true,
    description: 'The project; by default all for administrators, and the own one for others.',
  })
  project_id?: string;

  @EnumField(['cluster', 'Cluster', 'CLUSTER'], {
    optional: true,
    description: 'The type of the statistics.',
  })
  type?: string;
}

export class StatsView {
  @Shown('integer', 'The number of clusters.')
  clusters: number;

  @Shown('integer', 'The number of nodes, masters included.')
  nodes: number;
}

const COUNT = `
  SELECT (SELECT count(*)::int FROM clusters WHERE $1::text IS NULL OR project_id = $1) AS clusters,
         (SELECT coalesce(sum(node_count), 0)::int FROM node_groups
           WHERE NOT is_leaving AND ($1::text IS NULL OR project_id = $1)) AS nodes`;

@Injectable()
export class StatsService {
  /** @throws ForbiddenError for another project than the caller's */
  async of(ctx: RequestContext, asked: string | undefined): Promise<StatsView> {
    const projectId = asked ?? (ctx.isAdmin ? null : ctx.projectId);
    if (!ctx.isAdmin && projectId !== ctx.projectId)
      throw new ForbiddenError(`The statistics of project ${asked ?? ''} are for administrators.`);
    const [row] = await preparedRows<StatsView>(ctx.manager, COUNT, [projectId]);
    return row ?? { clusters: 0, nodes: 0 };
  }
}

@Controller('v1/stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @Allow('reader')
  @Operation('Count clusters and nodes', StatsView)
  show(@Ctx() ctx: RequestContext, @Query() { project_id: id }: StatsQuery): Promise<StatsView> {
    return this.stats.of(ctx, id);
  }
}

@Feature({ controllers: [StatsController], providers: [StatsService] })
export class StatsModule {}

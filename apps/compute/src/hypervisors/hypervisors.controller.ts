import { Controller, Get, Param, Query, type Type } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { nextLink } from '../http/pages.js';
import { absentAfter, versionOf } from '../versions/microversions.js';
import { ListHypervisorsQuery, ShowHypervisorQuery } from './hypervisor.dto.js';
import {
  HypervisorStatisticsAnswer,
  HypervisorSummary,
  HypervisorUptime,
  HypervisorView,
  hypervisorList,
  statisticsOf,
  type Hypervisor,
} from './hypervisor.answers.js';
import { HypervisorsService } from './hypervisors.service.js';

const Summaries = hypervisorList('HypervisorList', HypervisorSummary);
const Details = hypervisorList('HypervisorDetailList', HypervisorView);

@Controller('os-hypervisors')
export class HypervisorsController {
  constructor(private readonly hypervisors: HypervisorsService) {}

  @Get()
  @Allow('admin')
  @Operation('List hypervisors', Summaries, { errors: [404] })
  list(@Ctx() ctx: RequestContext, @Query() query: ListHypervisorsQuery): Promise<object> {
    return this.#page(ctx, query, HypervisorSummary);
  }

  @Get('detail')
  @Allow('admin', 'service')
  @Operation('List hypervisors with details', Details, { errors: [404] })
  detail(@Ctx() ctx: RequestContext, @Query() query: ListHypervisorsQuery): Promise<object> {
    return this.#page(ctx, query, HypervisorView);
  }

  @Get('statistics')
  @Allow('admin')
  @Operation('Show the sums of all hypervisors', HypervisorStatisticsAnswer, { errors: [404] })
  async statistics(@Ctx() ctx: RequestContext): Promise<object> {
    absentAfter(ctx, 87);
    const rows = await this.hypervisors.enabled(ctx);
    return { hypervisor_statistics: statisticsOf(rows.map(viewIn(ctx, HypervisorView))) };
  }

  @Get(':hypervisor_id')
  @Allow('admin')
  @Operation('Show a hypervisor', shownUnder('hypervisor', HypervisorView))
  async show(
    @Ctx() ctx: RequestContext,
    @Param('hypervisor_id') id: string,
    @Query() { with_servers: asked = false }: ShowHypervisorQuery,
  ): Promise<object> {
    const withServers = asked && versionOf(ctx).atLeast(53);
    const hypervisor = await this.hypervisors.get(ctx, id, withServers);
    return { hypervisor: viewIn(ctx, HypervisorView)(hypervisor) };
  }

  @Get(':hypervisor_id/uptime')
  @Allow('admin')
  @Operation('Show how long a hypervisor is up', shownUnder('hypervisor', HypervisorUptime))
  async uptime(@Ctx() ctx: RequestContext, @Param('hypervisor_id') id: string): Promise<object> {
    absentAfter(ctx, 87);
    const hypervisor = await this.hypervisors.get(ctx, id);
    const { isUp, name } = hypervisor.host;
    if (!isUp)
      throw new InvalidInputError(`Compute service of ${name} is unavailable at this time.`);
    return { hypervisor: viewIn(ctx, HypervisorUptime)(hypervisor) };
  }

  @Get(':hypervisor_hostname_pattern/search')
  @Allow('admin')
  @Operation('Find hypervisors', Summaries)
  search(
    @Ctx() ctx: RequestContext,
    @Param('hypervisor_hostname_pattern') pattern: string,
  ): Promise<object> {
    return this.#found(ctx, pattern, false);
  }

  @Get(':hypervisor_hostname_pattern/servers')
  @Allow('admin')
  @Operation('List the servers of hypervisors', Summaries)
  servers(
    @Ctx() ctx: RequestContext,
    @Param('hypervisor_hostname_pattern') pattern: string,
  ): Promise<object> {
    return this.#found(ctx, pattern, true);
  }

  async #page(
    ctx: RequestContext,
    query: ListHypervisorsQuery,
    view: Type<object>,
  ): Promise<object> {
    const { rows, more } = await this.hypervisors.page(ctx, query);
    const last = more && versionOf(ctx).atLeast(33) ? rows.at(-1)?.host : undefined;
    const marker = versionOf(ctx).atLeast(53) ? last?.hypervisorId : last?.number;
    return {
      hypervisors: rows.map(viewIn<Hypervisor, object>(ctx, view)),
      ...nextLink(ctx, 'hypervisors_links', marker === undefined ? undefined : String(marker)),
    };
  }

  /** Until 2.52; later, queries of the list. */
  async #found(ctx: RequestContext, pattern: string, withServers: boolean): Promise<object> {
    absentAfter(ctx, 52);
    const rows = await this.hypervisors.search(ctx, pattern, withServers);
    return { hypervisors: rows.map(viewIn(ctx, HypervisorSummary)) };
  }
}

@Feature({
  controllers: [HypervisorsController],
  providers: [HypervisorsService],
})
export class HypervisorsModule {}

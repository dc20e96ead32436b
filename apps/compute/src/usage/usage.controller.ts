import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { Feature } from '@cumulet/common/service/feature';
import type { PageOfRows } from '@cumulet/common/tables/table';
import type { Server } from '../servers/server.entity.js';
import { versionOf } from '../versions/microversions.js';
import { ProjectUsageAnswer, ProjectUsageList } from './usage.answers.js';
import { UsageAuditLogController } from './usage-audit-log.controller.js';
import { ListUsageQuery, ShowUsageQuery } from './usage.dto.js';
import { periodOf, UsageService } from './usage.service.js';
import { usageByProject } from './usage.view.js';

@ApiTags('usage')
@Controller('os-simple-tenant-usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @Allow('admin')
  @Operation('List the usage of all projects', ProjectUsageList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListUsageQuery): Promise<object> {
    const now = new Date();
    const period = periodOf(query, now);
    const page = await this.usage.servers(ctx, period, query);
    const isDetailed = [query.detailed].flat()[0] === '1';
    return {
      tenant_usages: usageByProject(page.rows, period, now, isDetailed),
      ...nextOf(ctx, 'tenant_usages_links', page),
    };
  }

  @Get(':tenant_id')
  @Allow('reader')
  @Operation('Show the usage of a project', ProjectUsageAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('tenant_id') id: string,
    @Query() query: ShowUsageQuery,
  ): Promise<object> {
    const now = new Date();
    const period = periodOf(query, now);
    const page = await this.usage.servers(ctx, period, query, id);
    const [usage = {}] = usageByProject(page.rows, period, now, true);
    return { tenant_usage: usage, ...nextOf(ctx, 'tenant_usage_links', page) };
  }
}

function nextOf(ctx: RequestContext, name: string, { rows, more }: PageOfRows<Server>): object {
  const last = more && versionOf(ctx).atLeast(40) ? rows.at(-1) : undefined;
  if (!last) return {};
  const href = ctx.baseUrl + nextPageUrl(ctx.fields.requestUrl ?? '', last.id);
  return { [name]: [{ rel: 'next', href }] };
}

@Feature({
  controllers: [UsageController, UsageAuditLogController],
  providers: [UsageService],
})
export class UsageModule {}

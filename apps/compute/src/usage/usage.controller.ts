import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { Server } from '../servers/server.entity.js';
import { nextLink } from '../http/pages.js';
import { versionOf } from '../versions/microversions.js';
import { hosts } from '../hosts/host.repository.js';
import { ProjectUsageAnswer, ProjectUsageList, usageByProject } from './usage.view.js';
import { ListUsageQuery, ShowUsageQuery } from './usage.dto.js';
import { periodOf, UsageService } from './usage.service.js';

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
  return nextLink(ctx, name, last?.id);
}

/**
 * The audit of instance usage by host. It sends notifications, for which there is no bus here, so
 * it has done nothing, as in a Nova with `instance_usage_audit` off (the default). Public source:
 * Nova API reference, "Server usage audit log (os-instance-usage-audit-log)".
 */
export const UsageAuditLog = answerClass('UsageAuditLog', {
  period_beginning: Shown(String, 'The start of the period, in UTC.'),
  period_ending: Shown(String, 'The end of the period.'),
  num_hosts: Shown('integer', 'Hosts.'),
  num_hosts_done: Shown('integer', 'The hosts whose audit is done: none.'),
  num_hosts_running: Shown('integer', 'The hosts whose audit is in progress: none.'),
  num_hosts_not_run: Shown('integer', 'The hosts without an audit: all.'),
  hosts_not_run: Shown([String], 'Their names.'),
  total_instances: Shown('integer', 'The number of audited servers: 0.'),
  total_errors: Shown('integer', 'The number of errors: 0.'),
  overall_status: Shown(String, 'A summary.'),
  log: Shown(Object, 'The audits by host: none.', { schema: { maxProperties: 0 } }),
});

@ApiTags('usage')
@Controller('os-instance_usage_audit_log')
export class UsageAuditLogController {
  @Get()
  @Allow('admin')
  @Operation(
    'Show the audits of the last month',
    answerClass('UsageAuditLogsAnswer', {
      instance_usage_audit_logs: Shown(() => UsageAuditLog, 'The audits.'),
    }),
  )
  async last(@Ctx() ctx: RequestContext): Promise<object> {
    return { instance_usage_audit_logs: await auditsBefore(ctx, new Date()) };
  }

  @Get(':before_timestamp')
  @Allow('admin')
  @Operation(
    'Show the audits of the last month before a time',
    answerClass('UsageAuditLogAnswer', {
      instance_usage_audit_log: Shown(() => UsageAuditLog, 'The audits.'),
    }),
  )
  async before(
    @Ctx() ctx: RequestContext,
    @Param('before_timestamp') before: string,
  ): Promise<object> {
    const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/.test(before);
    const time = new Date(`${before.replace(' ', 'T')}Z`);
    if (!isTime || Number.isNaN(time.getTime()))
      throw new InvalidInputError(`Invalid timestamp for date ${before}`);
    return { instance_usage_audit_log: await auditsBefore(ctx, time) };
  }
}

/** Covers the last whole month before a time. */
async function auditsBefore(ctx: RequestContext, time: Date): Promise<object> {
  const names = (await hosts.select(ctx, [], 'ORDER BY name')).map(({ name }) => name);
  const month = new Date(time.getTime() - 1);
  return {
    period_beginning: firstOfMonth(month, -1),
    period_ending: firstOfMonth(month, 0),
    num_hosts: names.length,
    num_hosts_done: 0,
    num_hosts_running: 0,
    num_hosts_not_run: names.length,
    hosts_not_run: names,
    total_instances: 0,
    total_errors: 0,
    overall_status: `${names.length === 0 ? 'ALL' : `0 of ${names.length}`} hosts done. 0 errors.`,
    log: {},
  };
}

/** `2026-01-01 00:00:00` */
function firstOfMonth(of: Date, months: number): string {
  const first = new Date(Date.UTC(of.getUTCFullYear(), of.getUTCMonth() + months, 1));
  return first.toISOString().slice(0, 19).replace('T', ' ');
}

@Feature({
  controllers: [UsageController, UsageAuditLogController],
  providers: [UsageService],
})
export class UsageModule {}

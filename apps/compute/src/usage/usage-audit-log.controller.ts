/**
 * What the audit of instance usage has done on each host. It sends notifications, for which there is no
 * bus here, so it has done nothing on any: as in a Nova whose `instance_usage_audit` is off, which
 * is its default.
 * Public source: Nova API reference, "Server usage audit log (os-instance-usage-audit-log)".
 */
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { hosts } from '../hosts/host.repository.js';

export class UsageAuditLog {
  @Shown(String, 'When the period begins, in UTC.')
  period_beginning: string;

  @Shown(String, 'When it ends.')
  period_ending: string;

  @Shown('integer', 'Hosts.')
  num_hosts: number;

  @Shown('integer', 'Hosts whose audit is done: none.')
  num_hosts_done: number;

  @Shown('integer', 'Hosts whose audit goes on: none.')
  num_hosts_running: number;

  @Shown('integer', 'Hosts without an audit: all.')
  num_hosts_not_run: number;

  @Shown([String], 'Their names.')
  hosts_not_run: string[];

  @Shown('integer', 'Servers that were audited: none.')
  total_instances: number;

  @Shown('integer', 'Errors of audits: none.')
  total_errors: number;

  @Shown(String, 'The sum of it.')
  overall_status: string;

  @Shown(Object, 'Audits by host: none.', { schema: { maxProperties: 0 } })
  log: object;
}

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

/** Of the last whole month before a time. */
async function auditsBefore(ctx: RequestContext, time: Date): Promise<UsageAuditLog> {
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

import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { shownUnder } from '@cumulet/common/http/answers';
import { viewIn, answerClass, Shown } from '@cumulet/common/http/shown';
import type { QuotaUsage } from '@cumulet/common/quotas/check-quota';
import { QuotaSetsService } from './quota-sets.service.js';
import { COMPUTE_QUOTAS, type ComputeQuota } from './compute-quotas.js';
import { LAST_IN_SETS } from './quota-set.resource.js';

/** Limits as Nova shows them. Public source: Nova API reference, "Limits (limits)". */
type Row = Readonly<Record<ComputeQuota, QuotaUsage>>;

/** The last microversion with limits for images. */
const LAST_OF_IMAGES = 38;

interface Named {
  readonly quota: ComputeQuota;
  readonly last?: number;
}

const LIMITS: Readonly<Record<string, Named>> = {
  maxTotalInstances: { quota: 'instances' },
  maxTotalCores: { quota: 'cores' },
  maxTotalRAMSize: { quota: 'ram' },
  maxServerMeta: { quota: 'metadata_items' },
  maxImageMeta: { quota: 'metadata_items', last: LAST_OF_IMAGES },
  maxPersonality: { quota: 'injected_files' },
  maxPersonalitySize: { quota: 'injected_file_content_bytes' },
  maxTotalKeypairs: { quota: 'key_pairs' },
  maxServerGroups: { quota: 'server_groups' },
  maxServerGroupMembers: { quota: 'server_group_members' },
  maxTotalFloatingIps: { quota: 'floating_ips' },
  maxSecurityGroups: { quota: 'security_groups' },
  maxSecurityGroupRules: { quota: 'security_group_rules' },
};

const USED: Readonly<Record<string, ComputeQuota>> = {
  totalInstancesUsed: 'instances',
  totalCoresUsed: 'cores',
  totalRAMUsed: 'ram',
  totalServerGroupsUsed: 'server_groups',
  totalFloatingIpsUsed: 'floating_ips',
  totalSecurityGroupsUsed: 'security_groups',
};

function shown(
  { quota, last = LAST_IN_SETS[quota] }: Named,
  prefix: string,
  from: (usage: QuotaUsage) => number,
): PropertyDecorator {
  return Shown<Row>('integer', `${prefix}${COMPUTE_QUOTAS[quota].about}`, {
    from: (row) => from(row[quota]),
    ...(last === undefined ? {} : { until: last }),
  });
}

const AbsoluteLimits = answerClass('AbsoluteLimits', {
  ...Object.fromEntries(
    Object.entries(LIMITS).map(([name, of]) => [name, shown(of, '', ({ limit }) => limit)]),
  ),
  ...Object.fromEntries(
    Object.entries(USED).map(([name, quota]) => [
      name,
      shown({ quota }, 'The usage. ', ({ used }) => used),
    ]),
  ),
});

const Limits = answerClass('Limits', {
  rate: Shown([Object], 'None.', { schema: { maxItems: 0 } }),
  absolute: Shown(() => AbsoluteLimits, 'The limits of the project and their use.'),
});

const LimitsAnswer = shownUnder('limits', Limits);

class LimitsQuery {
  @StringField({ optional: true, description: 'The ID of a project; only for administrators.' })
  tenant_id?: string;

  @StringField({ optional: true, description: 'Has no effect.' })
  reserved?: string;
}

/** Public source: Nova API reference, "Limits (limits)". */
@ApiTags('quota sets')
@Controller('limits')
export class LimitsController {
  constructor(private readonly quotaSets: QuotaSetsService) {}

  @Get()
  @Allow('reader')
  @Operation('Show limits and what is in use', LimitsAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @Query() { tenant_id: asked }: LimitsQuery,
  ): Promise<object> {
    const id = asked ?? ctx.projectId;
    if (id !== ctx.projectId && !ctx.isAdmin)
      throw new ForbiddenError(
        "Policy doesn't allow os_compute_api:limits:other_project to be performed.",
      );
    const usage = await this.quotaSets.detail(ctx, id);
    return { limits: { rate: [], absolute: viewIn(ctx, AbsoluteLimits)(usage) } };
  }
}

/** Public source: Nova API reference, "List Security Groups By Server". */
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SecurityGroup, SecurityGroupRule } from '@cumulet/clients/network/network-wire';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { ServersService } from '../servers/servers.service.js';
import { ServerPortsService } from './server-ports.service.js';

const ServerSecurityGroupRuleView = answerClass('ServerSecurityGroupRuleView', {
  id: Shown(String, 'Its id.'),
  parent_group_id: Shown(String, 'The ID of the security group.'),
  ip_protocol: Shown(String, 'The protocol, a name or a number; null for all.', { nullable: true }),
  from_port: Shown('integer', 'The first port.', { nullable: true }),
  to_port: Shown('integer', 'The last port.', { nullable: true }),
  ip_range: Shown(Object, 'The source range `cidr`; empty for a source group.'),
  group: Shown(Object, 'The `name` and `tenant_id` of the source group; empty for a range.'),
});

const ServerSecurityGroupView = answerClass('ServerSecurityGroupView', {
  id: Shown(String, 'Its id.'),
  name: Shown(String, 'Its name.'),
  description: Shown(String, 'The description of the security group.'),
  tenant_id: Shown(String, 'The ID of the project that owns the security group.'),
  rules: Shown([() => ServerSecurityGroupRuleView], 'The ingress rules.'),
});

const ServerSecurityGroupsAnswer = allUnder(
  'security_groups',
  ServerSecurityGroupView,
  'The security groups, ordered by project and name.',
);

@ApiTags('servers')
@Controller('servers/:server_id/os-security-groups')
export class ServerSecurityGroupsController {
  constructor(
    private readonly servers: ServersService,
    private readonly ports: ServerPortsService,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('List the security groups of a server', ServerSecurityGroupsAnswer)
  async list(@Ctx() ctx: RequestContext, @Param('server_id') id: string): Promise<object> {
    const groups = await this.ports.groups(ctx, await this.servers.get(ctx, id));
    return { security_groups: groups.map((group) => groupView(group, groups)) };
  }
}

function groupView(
  { id, name, description, projectId, rules }: SecurityGroup,
  known: readonly SecurityGroup[],
): object {
  const into = rules.filter(({ direction }) => direction === 'ingress');
  return {
    id,
    name,
    description,
    tenant_id: projectId,
    rules: into.map((rule) => ruleView(rule, known)),
  };
}

function ruleView(rule: SecurityGroupRule, known: readonly SecurityGroup[]): object {
  const from = known.find(({ id }) => id === rule.remoteGroupId);
  const everywhere = rule.ethertype === 'IPv4' ? '0.0.0.0/0' : '::/0';
  return {
    id: rule.id,
    parent_group_id: rule.groupId,
    ip_protocol: rule.protocol,
    from_port: rule.portRangeMin,
    to_port: rule.portRangeMax,
    group: from ? { name: from.name, tenant_id: from.projectId } : {},
    ip_range: rule.remoteGroupId === null ? { cidr: rule.remoteIpPrefix ?? everywhere } : {},
  };
}

import { Body, Controller, Delete, Get, Header, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { notFound } from '@cumulet/common/errors/domain-error';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { OfVersions } from '../versions/microversions.js';
import {
  CreateSecurityGroupRuleBody,
  ListSecurityGroupsQuery,
  SecurityGroupBody,
} from './security-group.dto.js';
import {
  SecurityGroupList,
  SecurityGroupRuleView,
  SecurityGroupView,
} from './security-group.wire.js';
import { SecurityGroupsService } from './security-groups.service.js';
import { UNTIL_36 } from './sisters.js';

class SecurityGroupNotNamedError extends notFound('No security group is named.') {}

const answer = shownUnder('security_group', SecurityGroupView);

/** Public source: Nova API reference, "Security groups (os-security-groups) (DEPRECATED)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('os-security-groups')
export class SecurityGroupsController {
  constructor(private readonly groups: SecurityGroupsService) {}

  @Get()
  @Allow('reader')
  @Operation('List security groups', SecurityGroupList, { errors: [404] })
  async list(
    @Ctx() ctx: RequestContext,
    @Query() { all_tenants: isAcross = false }: ListSecurityGroupsQuery,
  ): Promise<object> {
    return { security_groups: await this.groups.list(ctx, isAcross && ctx.isAdmin) };
  }

  @Post()
  @Allow('member')
  @Operation('Create a security group', answer, {
    status: 200,
    creates: false,
    errors: [404, 409],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { security_group }: SecurityGroupBody,
  ): Promise<object> {
    return { security_group: await this.groups.create(ctx, security_group) };
  }

  /** Clients send an empty ID, which Nova does not find. */
  @Delete()
  @Allow('member')
  @Operation('Delete a security group without an id', null, { status: 404 })
  removeNone(): never {
    throw new SecurityGroupNotNamedError();
  }

  @Get(':security_group_id')
  @Allow('reader')
  @Operation('Show a security group', answer)
  async show(@Ctx() ctx: RequestContext, @Param('security_group_id') id: string): Promise<object> {
    return { security_group: await this.groups.show(ctx, id) };
  }

  @Put(':security_group_id')
  @Allow('member')
  @Operation('Update a security group', answer, { errors: [409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('security_group_id') id: string,
    @Body() { security_group }: SecurityGroupBody,
  ): Promise<object> {
    return { security_group: await this.groups.update(ctx, id, security_group) };
  }

  @Delete(':security_group_id')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a security group', null, { status: 202 })
  async remove(@Ctx() ctx: RequestContext, @Param('security_group_id') id: string): Promise<void> {
    await this.groups.remove(ctx, id);
  }
}

/** Public source: Nova API reference, "Rules for security group (os-security-group-rules)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('os-security-group-rules')
export class SecurityGroupRulesController {
  constructor(private readonly groups: SecurityGroupsService) {}

  @Post()
  @Allow('member')
  @Operation(
    'Create a security group rule',
    shownUnder('security_group_rule', SecurityGroupRuleView),
    { status: 200, creates: false, errors: [404] },
  )
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { security_group_rule: rule }: CreateSecurityGroupRuleBody,
  ): Promise<object> {
    return { security_group_rule: await this.groups.createRule(ctx, rule) };
  }

  @Delete(':security_group_rule_id')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete a security group rule', null, { status: 202, errors: [409] })
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('security_group_rule_id') id: string,
  ): Promise<void> {
    await this.groups.removeRule(ctx, id);
  }
}

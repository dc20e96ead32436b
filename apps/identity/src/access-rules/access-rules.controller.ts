import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import { ListAccessRulesQuery } from './access-rule.dto.js';
import { accessRuleView } from './access-rule.view.js';
import { AccessRulesService } from './access-rules.service.js';

@ApiTags('application credentials')
@Controller('v3/users/:user_id/access_rules')
export class AccessRulesController {
  constructor(private readonly rules: AccessRulesService) {}

  @Get()
  @Protected('identity:list_access_rules')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() query: ListAccessRulesQuery,
  ): Promise<object> {
    const { service, method, path } = query;
    const filter = { service, method, path, inexact: inexactFilters(query) };
    const rules = await this.rules.list(ctx, userId, filter, query);
    return pageView(ctx, query, ['access_rules', rules], accessRuleView);
  }

  @Get(':access_rule_id')
  @Protected('identity:get_access_rule')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('access_rule_id') id: string,
  ): Promise<object> {
    return { access_rule: accessRuleView(await this.rules.get(ctx, userId, id), ctx.baseUrl) };
  }

  @Delete(':access_rule_id')
  @Protected('identity:delete_access_rule')
  @HttpCode(204)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('access_rule_id') id: string,
  ): Promise<void> {
    await this.rules.delete(ctx, userId, id);
  }
}

import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { equals } from '@cumulet/common/tables/condition';
import { Feature } from '@cumulet/common/service/feature';
import { refuseTrust } from '../policy/caller.js';
import { Protected } from '../policy/protected.js';
import { listedUnder, pageView, resourceView, shownUnder } from '../resource/resource.view.js';
import { AccessRuleView, ListAccessRulesQuery } from './access-rule.dto.js';
import { AccessRule, type AccessRuleId } from './access-rule.entity.js';
import { accessRules } from './access-rule.repository.js';

const view = resourceView<AccessRule>(
  AccessRuleView,
  ({ userId }) => `users/${userId}/access_rules`,
);

@ApiTags('application credentials')
@Controller('v3/users/:user_id/access_rules')
export class AccessRulesController {
  @Get()
  @Protected('identity:list_access_rules')
  @Operation('List access rules', listedUnder('access_rules', AccessRuleView))
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() query: ListAccessRulesQuery,
  ): Promise<object> {
    refuseTrust(ctx);
    const page = await accessRules.page(ctx, query, [equals('userId', userId)]);
    return pageView(ctx, 'access_rules', page, view);
  }

  @Get(':access_rule_id')
  @Protected('identity:get_access_rule')
  @Operation('Show an access rule', shownUnder('access_rule', AccessRuleView))
  async show(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('access_rule_id') id: AccessRuleId,
  ): Promise<object> {
    refuseTrust(ctx);
    const rule = await accessRules.get(ctx, { id, userId: asId(userId) });
    return { access_rule: view(rule, ctx.baseUrl) };
  }

  @Delete(':access_rule_id')
  @Protected('identity:delete_access_rule')
  @Operation('Delete an access rule', null)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('access_rule_id') id: AccessRuleId,
  ): Promise<void> {
    refuseTrust(ctx);
    await accessRules.delete(ctx, { id, userId: asId(userId) });
  }
}

@Feature({
  controllers: [AccessRulesController],
  entities: [AccessRule],
})
export class AccessRulesModule {}

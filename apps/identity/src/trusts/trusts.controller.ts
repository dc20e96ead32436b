import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { pageView } from '../http/page.js';
import { ProtectedInHandler } from '../policy/protected.js';
import { RoleNotFoundError } from '../roles/role.errors.js';
import { roleView } from '../roles/role.view.js';
import { TrustRole } from './trust-role.entity.js';
import { CreateTrustBody, ListTrustsQuery } from './trust.dto.js';
import { Trust } from './trust.entity.js';
import { TrustRepository } from './trust.repository.js';
import { detailedTrustView, trustRolesView, trustView } from './trust.view.js';
import { TrustsService } from './trusts.service.js';

/**
 * Who may depends on the row in each of these: a trust that is gone is a 404 to whoever had it, not
 * the 403 of a trust of others.
 */
@ApiTags('trusts')
@Controller('v3/OS-TRUST/trusts')
export class TrustsController {
  constructor(private readonly trusts: TrustsService) {}

  @Post()
  @ProtectedInHandler('identity:create_trust')
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateTrustBody): Promise<object> {
    const { trust, roles } = await this.trusts.create(ctx, body.trust);
    return { trust: detailedTrustView(trust, roles, ctx.baseUrl) };
  }

  @Get()
  @ProtectedInHandler('identity:list_trusts')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListTrustsQuery): Promise<object> {
    const { trustor_user_id: trustorUserId, trustee_user_id: trusteeUserId } = query;
    const trusts = await this.trusts.list(ctx, { trustorUserId, trusteeUserId }, query);
    return pageView(ctx, query, ['trusts', trusts], trustView);
  }

  @Get(':trust_id')
  @ProtectedInHandler('identity:get_trust')
  async show(@Ctx() ctx: RequestContext, @Param('trust_id') id: string): Promise<object> {
    const { trust, roles } = await this.trusts.get(ctx, 'identity:get_trust', id);
    return { trust: detailedTrustView(trust, roles, ctx.baseUrl) };
  }

  @Delete(':trust_id')
  @ProtectedInHandler('identity:delete_trust')
  @HttpCode(204)
  async delete(@Ctx() ctx: RequestContext, @Param('trust_id') id: string): Promise<void> {
    await this.trusts.delete(ctx, id);
  }

  @Get(':trust_id/roles')
  @ProtectedInHandler('identity:list_roles_for_trust')
  async listRoles(@Ctx() ctx: RequestContext, @Param('trust_id') id: string): Promise<object> {
    const { roles } = await this.trusts.get(ctx, 'identity:list_roles_for_trust', id);
    return trustRolesView(id, roles, ctx.baseUrl);
  }

  /** Also answers HEAD, without the body. */
  @Get(':trust_id/roles/:role_id')
  @ProtectedInHandler('identity:get_role_for_trust')
  async showRole(
    @Ctx() ctx: RequestContext,
    @Param('trust_id') id: string,
    @Param('role_id') roleId: string,
  ): Promise<object> {
    const { roles } = await this.trusts.get(ctx, 'identity:get_role_for_trust', id);
    const role = roles.find((one) => one.id === roleId);
    if (!role) throw new RoleNotFoundError(roleId);
    return { role: roleView(role, ctx.baseUrl) };
  }
}

@Feature({
  controllers: [TrustsController],
  providers: [TrustsService, TrustRepository],
  entities: [Trust, TrustRole],
})
export class TrustsModule {}

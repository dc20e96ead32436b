import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { NotFoundError } from '../resource/resource.errors.js';
import { ProtectedInHandler } from '../policy/protected.js';
import { listedUnder, pageView, resourceView, shownUnder } from '../resource/resource.view.js';
import { RoleView, roleView } from '../roles/role.resource.js';
import {
  CreateTrustBody,
  DetailedTrustView,
  ListTrustsQuery,
  Trust,
  TrustRole,
  TrustView,
} from './trust.resource.js';
import type { DetailedTrust } from './trust.repository.js';
import { TrustsService } from './trusts.service.js';

const answer = shownUnder('trust', DetailedTrustView);
const view = resourceView<Trust>(TrustView, 'OS-TRUST/trusts');

/**
 * The row authorises each request: a deleted trust is a 404 for its users, not the 403 of other
 * trusts.
 */
@Controller('v3/OS-TRUST/trusts')
export class TrustsController {
  constructor(private readonly trusts: TrustsService) {}

  @Post()
  @ProtectedInHandler('identity:create_trust')
  @Operation('Create a trust', answer, { creates: true, errors: [404] })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateTrustBody): Promise<object> {
    return detailed(ctx, await this.trusts.create(ctx, body.trust));
  }

  @Get()
  @ProtectedInHandler('identity:list_trusts')
  @Operation('List trusts', listedUnder('trusts', TrustView), { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListTrustsQuery): Promise<object> {
    return pageView(ctx, 'trusts', await this.trusts.list(ctx, query), view);
  }

  @Get(':trust_id')
  @ProtectedInHandler('identity:get_trust')
  @Operation('Show a trust', answer)
  async show(@Ctx() ctx: RequestContext, @Param('trust_id') id: string): Promise<object> {
    return detailed(ctx, await this.trusts.get(ctx, 'identity:get_trust', id));
  }

  @Delete(':trust_id')
  @ProtectedInHandler('identity:delete_trust')
  @Operation('Delete a trust', null)
  async delete(@Ctx() ctx: RequestContext, @Param('trust_id') id: string): Promise<void> {
    await this.trusts.delete(ctx, id);
  }

  @Get(':trust_id/roles')
  @ProtectedInHandler('identity:list_roles_for_trust')
  @Operation('List the roles of a trust', listedUnder('roles', RoleView))
  async listRoles(@Ctx() ctx: RequestContext, @Param('trust_id') id: string): Promise<object> {
    return rolesOf(ctx, await this.trusts.get(ctx, 'identity:list_roles_for_trust', id));
  }

  @Get(':trust_id/roles/:role_id')
  @ProtectedInHandler('identity:get_role_for_trust')
  @Operation('Show a role of a trust', shownUnder('role', RoleView))
  async showRole(
    @Ctx() ctx: RequestContext,
    @Param('trust_id') id: string,
    @Param('role_id') roleId: string,
  ): Promise<object> {
    const { roles } = await this.trusts.get(ctx, 'identity:get_role_for_trust', id);
    const role = roles.find((one) => one.id === roleId);
    if (!role) throw new NotFoundError('role', roleId);
    return { role: roleView(role, ctx.baseUrl) };
  }
}

function detailed(ctx: RequestContext, trust: DetailedTrust): object {
  const { roles, links } = rolesOf(ctx, trust);
  return { trust: { ...view(trust, ctx.baseUrl), roles, roles_links: links } };
}

function rolesOf({ baseUrl }: RequestContext, { id, roles }: DetailedTrust) {
  const self = `${baseUrl}/v3/OS-TRUST/trusts/${id}/roles`;
  return {
    roles: roles.map((role) => roleView(role, baseUrl)),
    links: { self, next: null, previous: null },
  };
}

@Feature({
  controllers: [TrustsController],
  providers: [TrustsService],
  entities: [Trust, TrustRole],
})
export class TrustsModule {}

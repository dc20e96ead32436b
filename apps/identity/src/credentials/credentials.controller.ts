import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inexactFilters } from '../http/inexact-filter.js';
import { refuseOtherId } from '../http/other-id.js';
import { pageView } from '../http/page.js';
import { cloudAdmin, systemReader } from '../policy/personas.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import {
  CreateCredentialBody,
  ListCredentialsQuery,
  UpdateCredentialBody,
} from './credential.dto.js';
import { CredentialRepository } from './credential.repository.js';
import { credentialView } from './credential.view.js';
import { CredentialsService } from './credentials.service.js';
import { reachOf } from './delegation-bounds.js';

@ApiTags('credentials')
@Controller('v3/credentials')
export class CredentialsController {
  constructor(
    private readonly service: CredentialsService,
    private readonly credentials: CredentialRepository,
  ) {}

  /** Of others, a caller who may not read them sees nothing: filters by them find nothing. */
  @Get()
  @ProtectedInHandler('identity:list_credentials')
  async list(@Ctx() ctx: RequestContext, @Query() query: ListCredentialsQuery): Promise<object> {
    authorise(ctx, 'identity:list_credentials');
    const readsAll = cloudAdmin.is(ctx, NOTHING) || systemReader.is(ctx, NOTHING);
    const filter = {
      userId: query.user_id,
      type: query.type,
      inexact: inexactFilters(query),
      ownerId: readsAll ? undefined : ctx.userId,
      within: reachOf(ctx),
    };
    const credentials = await this.credentials.list(ctx, filter, query);
    return pageView(ctx, query, ['credentials', credentials], credentialView);
  }

  @Post()
  @ProtectedInHandler('identity:create_credential')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { credential: wanted }: CreateCredentialBody,
  ): Promise<object> {
    const { user_id: userId, project_id: projectId, type, blob, extra = {} } = wanted;
    authorise(ctx, 'identity:create_credential', { ...NOTHING, ownerIds: [userId] });
    const credential = await this.service.create(ctx, {
      userId: asId(userId),
      projectId: projectId === undefined || projectId === null ? null : asId(projectId),
      type,
      blob,
      extra,
    });
    return { credential: credentialView(credential, ctx.baseUrl) };
  }

  @Get(':credential_id')
  @Protected('identity:get_credential')
  async show(@Ctx() ctx: RequestContext, @Param('credential_id') id: string): Promise<object> {
    return { credential: credentialView(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':credential_id')
  @Protected('identity:update_credential')
  async update(
    @Ctx() ctx: RequestContext,
    @Param('credential_id') id: string,
    @Body() { credential: change }: UpdateCredentialBody,
  ): Promise<object> {
    const { user_id: userId, project_id: projectId, type, blob, extra } = change;
    refuseOtherId('credential', id, change.id);
    const credential = await this.service.update(ctx, id, {
      userId: userId === undefined ? undefined : asId(userId),
      projectId: typeof projectId === 'string' ? asId(projectId) : projectId,
      type,
      blob,
      extra,
    });
    return { credential: credentialView(credential, ctx.baseUrl) };
  }

  @Delete(':credential_id')
  @Protected('identity:delete_credential')
  @HttpCode(204)
  async delete(@Ctx() ctx: RequestContext, @Param('credential_id') id: string): Promise<void> {
    await this.service.delete(ctx, id);
  }
}

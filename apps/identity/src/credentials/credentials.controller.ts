import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { equals } from '@cumulet/common/tables/condition';
import { Feature } from '@cumulet/common/service/feature';
import { refuseOtherId } from '../resource/resource.errors.js';
import { cloudAdmin, systemReader } from '../policy/personas.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import { listedUnder, pageView, resourceView, shownUnder } from '../resource/resource.view.js';
import {
  CreateCredentialBody,
  Credential,
  CredentialView,
  ListCredentialsQuery,
  type OpenCredential,
  UpdateCredentialBody,
} from './credential.resource.js';
import { CredentialsService } from './credentials.service.js';

const answer = shownUnder('credential', CredentialView);
const view = resourceView<OpenCredential>(CredentialView, 'credentials');

@Controller('v3/credentials')
export class CredentialsController {
  constructor(private readonly service: CredentialsService) {}

  /** Filters by users whose credentials the caller may not read find nothing. */
  @Get()
  @ProtectedInHandler('identity:list_credentials')
  @Operation('List credentials', listedUnder('credentials', CredentialView), { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListCredentialsQuery): Promise<object> {
    authorise(ctx, 'identity:list_credentials');
    const readsAll = cloudAdmin.is(ctx, NOTHING) || systemReader.is(ctx, NOTHING);
    const scope = readsAll ? [] : [equals('userId', ctx.userId)];
    return pageView(ctx, 'credentials', await this.service.list(ctx, query, scope), view);
  }

  @Post()
  @ProtectedInHandler('identity:create_credential')
  @Operation('Create a credential', answer, { creates: true, errors: [404, 409] })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { credential }: CreateCredentialBody,
  ): Promise<object> {
    const ownerIds = [credential.user_id];
    authorise(ctx, 'identity:create_credential', { ...NOTHING, ownerIds });
    return { credential: view(await this.service.create(ctx, credential), ctx.baseUrl) };
  }

  @Get(':credential_id')
  @Protected('identity:get_credential')
  @Operation('Show a credential', answer)
  async show(@Ctx() ctx: RequestContext, @Param('credential_id') id: string): Promise<object> {
    return { credential: view(await this.service.get(ctx, id), ctx.baseUrl) };
  }

  @Patch(':credential_id')
  @Protected('identity:update_credential')
  @Operation('Update a credential', answer)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('credential_id') id: string,
    @Body() { credential }: UpdateCredentialBody,
  ): Promise<object> {
    refuseOtherId('credential', id, credential.id);
    return { credential: view(await this.service.update(ctx, id, credential), ctx.baseUrl) };
  }

  @Delete(':credential_id')
  @Protected('identity:delete_credential')
  @Operation('Delete a credential', null)
  delete(@Ctx() ctx: RequestContext, @Param('credential_id') id: string): Promise<void> {
    return this.service.delete(ctx, id);
  }
}

@Feature({
  controllers: [CredentialsController],
  providers: [CredentialsService],
  entities: [Credential],
})
export class CredentialsModule {}

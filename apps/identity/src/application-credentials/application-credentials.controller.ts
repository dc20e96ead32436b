import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import type { UserId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { equals } from '@cumulet/common/tables/condition';
import { Feature } from '@cumulet/common/service/feature';
import { refuseTrust } from '../policy/caller.js';
import { Protected } from '../policy/protected.js';
import { NamedQuery } from '../resource/resource.dto.js';
import { listedUnder, pageView, resourceView, shownUnder } from '../resource/resource.view.js';
import {
  ApplicationCredentialView,
  CreateApplicationCredentialBody,
  NewApplicationCredentialView,
} from './application-credential.dto.js';
import {
  ApplicationCredential,
  ApplicationCredentialAccessRule,
  type ApplicationCredentialId,
  ApplicationCredentialRole,
} from './application-credential.entity.js';
import { applicationCredentials } from './application-credential.repository.js';
import { ApplicationCredentialsService } from './application-credentials.service.js';

const KIND = 'application_credential';

const pathOf = ({ userId }: ApplicationCredential): string =>
  `users/${userId}/application_credentials`;
const view = resourceView(ApplicationCredentialView, pathOf);
const newView = resourceView(NewApplicationCredentialView, pathOf);

interface CredentialIds {
  readonly user_id: UserId;
  readonly application_credential_id: ApplicationCredentialId;
}

@ApiTags('application credentials')
@Controller('v3/users/:user_id/application_credentials')
export class ApplicationCredentialsController {
  constructor(private readonly service: ApplicationCredentialsService) {}

  @Post()
  @Protected('identity:create_application_credential')
  @Operation('Create an application credential', shownUnder(KIND, NewApplicationCredentialView), {
    creates: true,
    errors: [409],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateApplicationCredentialBody,
  ): Promise<object> {
    const credential = await this.service.create(ctx, body.application_credential);
    return { application_credential: newView(credential, ctx.baseUrl) };
  }

  @Get()
  @Protected('identity:list_application_credentials')
  @Operation('List application credentials', listedUnder(`${KIND}s`, ApplicationCredentialView))
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() query: NamedQuery,
  ): Promise<object> {
    refuseTrust(ctx);
    const page = await applicationCredentials.page(ctx, query, [equals('userId', userId)]);
    return pageView(ctx, `${KIND}s`, page, view);
  }

  @Get(':application_credential_id')
  @Protected('identity:get_application_credential')
  @Operation('Show an application credential', shownUnder(KIND, ApplicationCredentialView))
  async show(@Ctx() ctx: RequestContext, @Param() ids: CredentialIds): Promise<object> {
    refuseTrust(ctx);
    const key = { id: ids.application_credential_id, userId: ids.user_id };
    const credential = await applicationCredentials.get(ctx, key);
    return { application_credential: view(credential, ctx.baseUrl) };
  }

  @Delete(':application_credential_id')
  @Protected('identity:delete_application_credential')
  @Operation('Delete an application credential', null)
  delete(@Ctx() ctx: RequestContext, @Param() ids: CredentialIds): Promise<void> {
    return this.service.delete(ctx, ids.user_id, ids.application_credential_id);
  }
}

@Feature({
  controllers: [ApplicationCredentialsController],
  providers: [ApplicationCredentialsService],
  entities: [ApplicationCredential, ApplicationCredentialRole, ApplicationCredentialAccessRule],
})
export class ApplicationCredentialsModule {}

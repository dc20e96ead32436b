import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inexactFilters } from '../http/inexact-filter.js';
import { pageView } from '../http/page.js';
import { Protected } from '../policy/protected.js';
import {
  CreateApplicationCredentialBody,
  ListApplicationCredentialsQuery,
} from './application-credential.dto.js';
import {
  applicationCredentialView,
  newApplicationCredentialView,
} from './application-credential.view.js';
import { ApplicationCredentialsService } from './application-credentials.service.js';

@ApiTags('application credentials')
@Controller('v3/users/:user_id/application_credentials')
export class ApplicationCredentialsController {
  constructor(private readonly credentials: ApplicationCredentialsService) {}

  @Post()
  @Protected('identity:create_application_credential')
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateApplicationCredentialBody,
  ): Promise<object> {
    const { credential, secret } = await this.credentials.create(ctx, body.application_credential);
    return {
      application_credential: newApplicationCredentialView(credential, secret, ctx.baseUrl),
    };
  }

  @Get()
  @Protected('identity:list_application_credentials')
  async list(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Query() query: ListApplicationCredentialsQuery,
  ): Promise<object> {
    const filter = { name: query.name, inexact: inexactFilters(query) };
    const credentials = await this.credentials.list(ctx, userId, filter, query);
    const members = ['application_credentials', credentials] as const;
    return pageView(ctx, query, members, applicationCredentialView);
  }

  @Get(':application_credential_id')
  @Protected('identity:get_application_credential')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('application_credential_id') id: string,
  ): Promise<object> {
    const credential = await this.credentials.get(ctx, userId, id);
    return { application_credential: applicationCredentialView(credential, ctx.baseUrl) };
  }

  @Delete(':application_credential_id')
  @Protected('identity:delete_application_credential')
  @HttpCode(204)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('application_credential_id') id: string,
  ): Promise<void> {
    await this.credentials.delete(ctx, userId, id);
  }
}

import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { asId, type UserId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { equals } from '@cumulet/common/tables/condition';
import { refuseTrust } from '../policy/caller.js';
import { Protected } from '../policy/protected.js';
import { NamedQuery } from '../resource/resource.dto.js';
import { listedUnder, pageView, resourceView, shownUnder } from '../resource/resource.view.js';
import {
  AccessRule,
  type AccessRuleId,
  AccessRuleView,
  ApplicationCredential,
  ApplicationCredentialAccessRule,
  type ApplicationCredentialId,
  ApplicationCredentialRole,
  ApplicationCredentialView,
  CreateApplicationCredentialBody,
  ListAccessRulesQuery,
  NewApplicationCredentialView,
} from './application-credential.resource.js';
import { accessRules, applicationCredentials } from './application-credential.repository.js';
import { ApplicationCredentialsService } from './application-credentials.service.js';

const ruleView = resourceView<AccessRule>(
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
    return pageView(ctx, 'access_rules', page, ruleView);
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
    return { access_rule: ruleView(rule, ctx.baseUrl) };
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

const KIND = 'application_credential';

const pathOf = ({ userId }: ApplicationCredential): string =>
  `users/${userId}/application_credentials`;
const view = resourceView(ApplicationCredentialView, pathOf);
const newView = resourceView(NewApplicationCredentialView, pathOf);

interface CredentialIds {
  readonly user_id: UserId;
  readonly application_credential_id: ApplicationCredentialId;
}

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
  controllers: [ApplicationCredentialsController, AccessRulesController],
  providers: [ApplicationCredentialsService],
  entities: [
    AccessRule,
    ApplicationCredential,
    ApplicationCredentialAccessRule,
    ApplicationCredentialRole,
  ],
})
export class ApplicationCredentialsModule {}

import { Body, Controller, Delete, Get, Headers, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Authenticated, Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CatalogEntry, catalogFor } from '../catalog/catalog.js';
import { DomainView, domainView } from '../domains/domain.resource.js';
import { domains } from '../domains/domain.repository.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { Protected, ProtectedInHandler } from '../policy/protected.js';
import { projects } from '../projects/project.repository.js';
import { ProjectView, projectView } from '../projects/project.view.js';
import { listedUnder, listLinks, pageView } from '../resource/resource.view.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { scopes } from '../roles/scope.repository.js';
import { readAuthRequest } from './auth-request.js';
import { Authenticator } from './authenticator.js';
import { Receipts } from './receipts.js';
import { SubjectTokens } from './subject-tokens.js';
import { tokenBody, TokensService } from './tokens.service.js';
import { AuthenticateBody, TokenQuery } from './token.dto.js';
import { ReceiptAnswer, receiptView, SystemView, TokenBody } from './token.view.js';
import { TotpMethod } from './totp.method.js';

const SUBJECT = 'X-Subject-Token';
const RECEIPT = 'Openstack-Auth-Receipt';

@ApiTags('authentication')
@Controller('v3/auth/tokens')
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly subjects: SubjectTokens,
    private readonly revocations: RevocationsService,
  ) {}

  @Post()
  @Public()
  @Operation('Issue a token', TokenBody, { errors: [403, 404], also: { 401: ReceiptAnswer } })
  async issue(
    @Ctx() ctx: RequestContext,
    @Body() body: AuthenticateBody,
    @Query() query: TokenQuery,
    @Headers(RECEIPT) receipt: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const issued = await this.tokens.issue(ctx, readAuthRequest(body.auth, receipt));
    if (!('token' in issued)) {
      void reply.status(401).header(RECEIPT, issued.sealed);
      return receiptView(issued);
    }
    const { token, signed } = issued;
    void reply.header(SUBJECT, signed);
    return tokenBody(ctx, token, query);
  }

  @Get()
  @ProtectedInHandler('identity:validate_token')
  @Operation('Validate and show a token', TokenBody, { errors: [404] })
  async show(
    @Ctx() ctx: RequestContext,
    @Query() query: TokenQuery,
    @Headers(SUBJECT) subject: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { allow_expired: allowExpired } = query;
    const claims = await this.subjects.read(ctx, subject, { allowExpired });
    authorise(ctx, 'identity:validate_token', { ...NOTHING, ownerIds: [claims.userId] });
    const body = await this.subjects.describe(ctx, claims, query);
    void reply.header(SUBJECT, subject);
    return body;
  }

  @Delete()
  @ProtectedInHandler('identity:revoke_token')
  @Operation('Revoke a token', null, { errors: [404] })
  async revoke(
    @Ctx() ctx: RequestContext,
    @Headers(SUBJECT) subject: string | undefined,
  ): Promise<void> {
    const claims = await this.subjects.read(ctx, subject);
    authorise(ctx, 'identity:revoke_token', { ...NOTHING, ownerIds: [claims.userId] });
    await this.revocations.revokeToken(ctx, claims.auditIds);
  }

  /** Keystone refuses it too: no tokens are stored. */
  @Get('OS-PKI/revoked')
  @Authenticated()
  @Operation('List revoked tokens', null, { status: 403 })
  listRevoked(): never {
    throw new ForbiddenError(
      'Revoked tokens are not listed; GET /v3/OS-REVOKE/events lists what revokes them.',
    );
  }
}

@ApiTags('authentication')
@Controller('v3/auth')
export class AuthController {
  @Get('projects')
  @ProtectedInHandler('identity:get_auth_projects')
  @Operation('List the projects that a token can be had for', listedUnder('projects', ProjectView))
  async listProjects(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await projects.listScopes(ctx, ctx.userId);
    return pageView(ctx, 'projects', { rows, more: false }, projectView);
  }

  @Get('domains')
  @ProtectedInHandler('identity:get_auth_domains')
  @Operation('List the domains that a token can be had for', listedUnder('domains', DomainView))
  async listDomains(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await domains.listScopes(ctx, ctx.userId);
    return pageView(ctx, 'domains', { rows, more: false }, domainView);
  }

  @Get('system')
  @ProtectedInHandler('identity:get_auth_system')
  @Operation('Show whether a token can be had for the system', listedUnder('system', SystemView))
  async listSystem(@Ctx() ctx: RequestContext): Promise<object> {
    const scope = await scopes.system(ctx, ctx.userId);
    return { system: scope ? [{ all: true }] : [], links: listLinks(ctx) };
  }

  @Get('catalog')
  @Protected('identity:get_auth_catalog')
  @Operation('Show the catalog', listedUnder('catalog', CatalogEntry))
  async showCatalog(@Ctx() ctx: RequestContext): Promise<object> {
    return { catalog: await catalogFor(ctx, ctx.fields), links: listLinks(ctx) };
  }
}

@Feature({
  controllers: [TokensController, AuthController],
  providers: [TokensService, SubjectTokens, Authenticator, TotpMethod, Receipts],
})
export class TokensModule {}

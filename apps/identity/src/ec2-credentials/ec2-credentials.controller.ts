import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import { Protected } from '../policy/protected.js';
import { CreateEc2CredentialBody } from './ec2-credential.dto.js';
import { ec2CredentialView } from './ec2-credential.view.js';
import { Ec2CredentialsService } from './ec2-credentials.service.js';

/** `credential_id` is the access key. Old clients know the API by the prefix of version 2.0 alone. */
@ApiTags('access keys')
@Controller(['v3/users/:user_id/credentials/OS-EC2', 'v2.0/users/:user_id/credentials/OS-EC2'])
export class Ec2CredentialsController {
  constructor(private readonly credentials: Ec2CredentialsService) {}

  @Get()
  @Protected('identity:ec2_list_credentials')
  async list(@Ctx() ctx: RequestContext, @Param('user_id') userId: string): Promise<object> {
    const credentials = await this.credentials.list(ctx, userId);
    return {
      credentials: credentials.map((credential) => ec2CredentialView(credential, ctx.baseUrl)),
      links: collectionLinks(ctx),
    };
  }

  @Post()
  @Protected('identity:ec2_create_credential')
  async create(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Body() { tenant_id: projectId }: CreateEc2CredentialBody,
  ): Promise<object> {
    const credential = await this.credentials.create(ctx, userId, projectId);
    return { credential: ec2CredentialView(credential, ctx.baseUrl) };
  }

  @Get(':credential_id')
  @Protected('identity:ec2_get_credential')
  async show(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('credential_id') access: string,
  ): Promise<object> {
    const credential = await this.credentials.get(ctx, userId, access);
    return { credential: ec2CredentialView(credential, ctx.baseUrl) };
  }

  @Delete(':credential_id')
  @Protected('identity:ec2_delete_credential')
  @HttpCode(204)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('credential_id') access: string,
  ): Promise<void> {
    await this.credentials.delete(ctx, userId, access);
  }
}

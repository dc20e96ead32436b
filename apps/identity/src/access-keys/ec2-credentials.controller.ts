import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { listedUnder, pageView, shownUnder } from '../resource/resource.view.js';
import {
  CreateEc2CredentialBody,
  ec2CredentialView,
  Ec2CredentialView,
} from './ec2-credential.dto.js';
import { Ec2CredentialsService } from './ec2-credentials.service.js';

const answer = shownUnder('credential', Ec2CredentialView);

/** `credential_id` is the access key. Old clients know the API by the prefix of version 2.0 alone. */
@ApiTags('access keys')
@Controller(['v3/users/:user_id/credentials/OS-EC2', 'v2.0/users/:user_id/credentials/OS-EC2'])
export class Ec2CredentialsController {
  constructor(private readonly credentials: Ec2CredentialsService) {}

  @Get()
  @Protected('identity:ec2_list_credentials')
  @Operation('List access keys', listedUnder('credentials', Ec2CredentialView))
  async list(@Ctx() ctx: RequestContext, @Param('user_id') userId: string): Promise<object> {
    const page = await this.credentials.list(ctx, userId);
    return pageView(ctx, 'credentials', page, ec2CredentialView);
  }

  @Post()
  @Protected('identity:ec2_create_credential')
  @Operation('Create an access key', answer, { creates: true })
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
  @Operation('Show an access key', answer)
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
  @Operation('Delete an access key', null)
  delete(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Param('credential_id') access: string,
  ): Promise<void> {
    return this.credentials.delete(ctx, userId, access);
  }
}

@Feature({
  controllers: [Ec2CredentialsController],
  providers: [Ec2CredentialsService],
})
export class Ec2CredentialsModule {}

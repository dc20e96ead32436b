import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Protected } from '../policy/protected.js';
import { tokenBody } from '../tokens/token-body.js';
import { TokenBody } from '../tokens/token.view.js';
import { isSignedBy, isTextSignedBy } from './ec2-signature.js';
import { Ec2TokenBody, S3TokenBody } from './ec2-token.dto.js';
import { Ec2TokensService } from './ec2-tokens.service.js';

/** For services that take requests signed with an access key. */
@ApiTags('EC2 and S3 tokens')
@Controller('v3')
export class Ec2TokensController {
  constructor(private readonly service: Ec2TokensService) {}

  @Post('ec2tokens')
  @Protected('identity:ec2tokens_validate')
  @Operation('Issue a token for a request signed for EC2', TokenBody, {
    status: 200,
    creates: false,
    errors: [404],
  })
  async issueForEc2(
    @Ctx() ctx: RequestContext,
    @Body() body: Ec2TokenBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenBody> {
    const given = required(body.credentials ?? body.credential ?? body.ec2Credentials);
    const { verb = '', host = '', path = '', params = {}, headers = {}, signature } = given;
    const request = { verb, host, path, params, headers, bodyHash: given.body_hash ?? '' };
    const issued = await this.service.issue(ctx, {
      access: given.access,
      signedAt: params['Timestamp'] ?? headers['X-Amz-Date'] ?? params['X-Amz-Date'],
      isSignedBy: (secret) => isSignedBy(secret, request, signature),
    });
    void reply.header('X-Subject-Token', issued.signed);
    return tokenBody(ctx, issued.token);
  }

  /** Says who has signed, and gives no token that could be used: whoever forwards it has the string. */
  @Post('s3tokens')
  @Protected('identity:s3tokens_validate')
  @Operation('Check a request signed for S3', TokenBody, {
    status: 200,
    creates: false,
    errors: [404],
  })
  async checkForS3(@Ctx() ctx: RequestContext, @Body() body: S3TokenBody): Promise<TokenBody> {
    const given = required(body.credentials ?? body.credential ?? body.ec2Credentials);
    const text = Buffer.from(given.token, 'base64url').toString();
    const issued = await this.service.issue(ctx, {
      access: given.access,
      isSignedBy: (secret) => isTextSignedBy(secret, text, given.signature),
    });
    return tokenBody(ctx, issued.token);
  }
}

function required<T>(credentials: T | undefined): T {
  if (credentials) return credentials;
  throw new InvalidInputError('Invalid input: credentials is required.');
}

@Feature({
  controllers: [Ec2TokensController],
  providers: [Ec2TokensService],
})
export class Ec2TokensModule {}

import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { SigningKeyRepository } from './signing-key.repository.js';

@ApiTags('keys')
@Controller('.well-known/jwks.json')
export class SigningKeysController {
  constructor(private readonly keys: SigningKeyRepository) {}

  /** The public keys that tokens verify with (RFC 7517). */
  @Get()
  @Public()
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { keys: await this.keys.listPublic(ctx) };
  }
}

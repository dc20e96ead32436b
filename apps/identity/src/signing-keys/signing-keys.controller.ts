import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Seal } from '@cumulet/common/crypto/seal';
import { CONFIG, TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
import { LocalTokenAuthority } from './local-token-authority.js';
import { KeyRotation } from './signing-keys.sweep.js';
import { Keyring } from './keyring.js';
import { SigningKey, SigningKeyView } from './signing-key.entity.js';
import { signingKeys } from './signing-key.repository.js';
import { type IdentityConfig } from '../config.js';

class SigningKeySet {
  @Shown([() => SigningKeyView], 'The newest first; tokens verify with all of them.')
  keys: SigningKeyView[];
}

@ApiTags('keys')
@Controller('.well-known/jwks.json')
export class SigningKeysController {
  /** The public keys that verify tokens (RFC 7517). */
  @Get()
  @Public()
  @Operation('List signing keys', SigningKeySet)
  async list(@Ctx() ctx: RequestContext): Promise<SigningKeySet> {
    return { keys: await signingKeys.listPublic(ctx) };
  }
}

@Feature({
  controllers: [SigningKeysController],
  providers: [
    Keyring,
    KeyRotation,
    {
      provide: Seal,
      inject: [CONFIG],
      useFactory: ({ secretKey }: IdentityConfig) => new Seal(secretKey),
    },
    { provide: TOKEN_AUTHORITY, useClass: LocalTokenAuthority },
  ],
  entities: [SigningKey],
})
export class SigningKeysModule {}

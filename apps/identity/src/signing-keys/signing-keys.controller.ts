import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JSONWebKeySet } from 'jose';
import { DataSource } from 'typeorm';
import { Public } from '@cumulet/common/auth/access';
import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import { Seal } from '@cumulet/common/crypto/seal';
import { resealing, SealedSecret } from '@cumulet/common/sealing/resealing';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { revocationEvent, revocationEvents } from '../revocations/revocation.repository.js';
import { Keyring } from './keyring.js';
import { SigningKey, SigningKeyView } from './signing-key.entity.js';
import { signingKeys } from './signing-key.repository.js';
import { KeyRotation } from './signing-keys.sweep.js';

/** Reads identity's own rows; other services fetch keys and revocations over HTTP. */
@Injectable()
export class LocalTokenAuthority implements TokenAuthority {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async keys(): Promise<JSONWebKeySet> {
    return { keys: await signingKeys.listPublic(this.#ctx()) };
  }

  async revocations(): Promise<readonly RevocationEvent[]> {
    return (await revocationEvents.listLive(this.#ctx())).map(revocationEvent);
  }

  #ctx(): RequestContext {
    return RequestContext.system(newRequestId(), this.dataSource.manager);
  }
}

const SigningKeySet = allUnder(
  'keys',
  SigningKeyView,
  'The keys, newest first; any of them may verify a token.',
);

@ApiTags('keys')
@Controller('.well-known/jwks.json')
export class SigningKeysController {
  /** The public keys that verify tokens (RFC 7517). */
  @Get()
  @Public()
  @Operation('List signing keys', SigningKeySet)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
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
      useFactory: ({ secretKey, oldSecretKeys }: IdentityConfig) =>
        new Seal(secretKey, oldSecretKeys),
    },
    resealing(Seal, {
      prefix: 'IDENTITY',
      columns: {
        credentials: ['sealed_blob'],
        domain_configs: ['sealed_config'],
        idempotency_keys: ['answer'],
        signing_keys: ['sealed_private_jwk'],
      },
    }),
    { provide: TOKEN_AUTHORITY, useClass: LocalTokenAuthority },
  ],
  entities: [SealedSecret, SigningKey],
})
export class SigningKeysModule {}

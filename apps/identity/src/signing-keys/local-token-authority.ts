import type { JSONWebKeySet } from 'jose';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/http/request-id';
import { revocationEvent, RevocationRepository } from '../revocations/revocation.repository.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** Keys and revocations from identity's own rows; other services fetch them over HTTP. */
@Injectable()
export class LocalTokenAuthority implements TokenAuthority {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    private readonly signingKeys: SigningKeyRepository,
    private readonly events: RevocationRepository,
  ) {}

  async keys(): Promise<JSONWebKeySet> {
    return { keys: await this.signingKeys.listPublic(this.#ctx()) };
  }

  async revocations(): Promise<readonly RevocationEvent[]> {
    return (await this.events.listLive(this.#ctx())).map(revocationEvent);
  }

  #ctx(): RequestContext {
    return RequestContext.system(newRequestId(), this.dataSource.manager);
  }
}

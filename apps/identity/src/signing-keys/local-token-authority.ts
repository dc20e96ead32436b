import type { JSONWebKeySet } from 'jose';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import { revocationEvent, revocationEvents } from '../revocations/revocation.repository.js';
import { signingKeys } from './signing-key.repository.js';

/** Keys and revocations from identity's own rows; other services fetch them over HTTP. */
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

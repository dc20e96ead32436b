import type { JSONWebKeySet } from 'jose';
import type { DataSource } from 'typeorm';
import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/http/request-id';
import { revocationEvent } from '../revocations/revocation-event.js';
import { RevocationRepository } from '../revocations/revocation.repository.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** Keys and revocations from identity's own rows, where other services ask over HTTP. */
export class LocalTokenAuthority implements TokenAuthority {
  readonly #keys = new SigningKeyRepository();
  readonly #revocations = new RevocationRepository();

  constructor(private readonly dataSource: DataSource) {}

  async keys(): Promise<JSONWebKeySet> {
    return { keys: (await this.#keys.listPublic(this.#ctx())).map((key) => ({ ...key })) };
  }

  async revocations(): Promise<readonly RevocationEvent[]> {
    return (await this.#revocations.listLive(this.#ctx())).map(revocationEvent);
  }

  #ctx(): RequestContext {
    return RequestContext.system(newRequestId(), this.dataSource.manager);
  }
}

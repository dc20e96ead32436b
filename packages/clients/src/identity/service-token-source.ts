/** A service's own token, by the password of its service user. */
import { SisterClient } from '../http/service-client.js';
import { requestToken, type IssuedToken } from './issued-token.js';
import { RenewedToken } from './renewed-token.js';

export interface ServiceTokenSourceOptions {
  /** Without /v3. */
  readonly identityUrl: string;
  /** The service user: `compute`. */
  readonly user: string;
  readonly password: string;
}

const DOMAIN = { id: 'default' };
const PROJECT = { name: 'service', domain: DOMAIN };

export class ServiceTokenSource extends SisterClient {
  readonly #identity: object;
  readonly #own = new RenewedToken(() => this.issue({ project: PROJECT }));

  constructor({ identityUrl, user, password }: ServiceTokenSourceOptions) {
    super({ service: 'identity', baseUrl: identityUrl, connections: 2 });
    this.#identity = {
      methods: ['password'],
      password: { user: { name: user, domain: DOMAIN, password } },
    };
  }

  /**
   * @returns a token of the project `service` with the role `service`, valid for some more minutes
   * @throws ServiceUnavailableError when identity is unreachable and no token is left
   * @throws ServiceRefusedError when identity refuses the password
   */
  async token(): Promise<string> {
    return (await this.#own.get()).value;
  }

  /** Always a new token; throws as `token`. */
  async renew(): Promise<string> {
    return (await this.#own.renew()).value;
  }

  /** Throws as `token`. */
  async userId(): Promise<string> {
    return (await this.#own.get()).userId;
  }

  /** The ID of the project `service`; throws as `token`. */
  async projectId(): Promise<string> {
    return (await this.#own.get()).projectId;
  }

  /**
   * A new token of another scope, which is not cached.
   * @param scope as in the request: `{ 'OS-TRUST:trust': { id } }`
   * @throws ServiceUnavailableError when identity is unreachable
   * @throws ServiceRefusedError when identity refuses the password or the scope
   */
  issue(scope: object): Promise<IssuedToken> {
    return requestToken(this.client, { identity: this.#identity, scope });
  }

  /** Replaces a refused token. */
  invalidate(value: string): void {
    this.#own.invalidate(value);
  }
}

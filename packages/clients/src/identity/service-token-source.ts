/**
 * A service's own token, by the password of its service user.
 *
 * Always holds: one request for a token at a time, however many ask; a token is renewed while a
 * fifth of its life is left, and as long as the old one is good a failing identity hurts nobody.
 */
import { ServiceClient } from '../http/service-client.js';
import { ServiceUnavailableError } from '../http/service-client-errors.js';

export interface ServiceTokenSourceOptions {
  /** Identity's address, without /v3. */
  readonly identityUrl: string;
  /** The service user: `compute`. */
  readonly user: string;
  readonly password: string;
}

interface ServiceToken {
  readonly value: string;
  /** Milliseconds since the epoch, by the clock of this machine. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

const DOMAIN = { id: 'default' };
const PROJECT = 'service';

export class ServiceTokenSource {
  readonly #client: ServiceClient;
  readonly #body: object;
  #token: ServiceToken | undefined;
  #renewing: Promise<ServiceToken> | undefined;

  constructor({ identityUrl, user, password }: ServiceTokenSourceOptions) {
    this.#client = new ServiceClient({ service: 'identity', baseUrl: identityUrl, connections: 2 });
    this.#body = {
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: user, domain: DOMAIN, password } },
        },
        scope: { project: { name: PROJECT, domain: DOMAIN } },
      },
    };
  }

  /**
   * @returns a token of the project `service` with the role `service`, good for some minutes yet
   * @throws ServiceUnavailableError when identity is away and no token is left
   * @throws ServiceRefusedError when identity refuses the password
   */
  async token(): Promise<string> {
    const token = this.#token;
    if (token && Date.now() < token.renewAt) return token.value;
    try {
      return (await this.#renew()).value;
    } catch (error) {
      if (token && token === this.#token && Date.now() < token.expiresAt) return token.value;
      throw error;
    }
  }

  /** Call it with a token that a service refused: the next one is new. */
  invalidate(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #renew(): Promise<ServiceToken> {
    this.#renewing ??= this.#ask()
      .then((token) => (this.#token = token))
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #ask(): Promise<ServiceToken> {
    const { headers, body } = await this.#client.send({
      method: 'POST',
      path: '/v3/auth/tokens',
      query: { nocatalog: 1 },
      json: this.#body,
    });
    const value = headers['x-subject-token'];
    const life = lifeOf(body);
    if (typeof value !== 'string' || life === undefined)
      throw new ServiceUnavailableError('identity', 'a token without its header or its times');
    // Counted from here, in case identity's clock and ours differ.
    const now = Date.now();
    return { value, renewAt: now + life * 0.8, expiresAt: now + life };
  }
}

/** Milliseconds that the token of this body lives; undefined where the body is no token. */
function lifeOf(body: unknown): number | undefined {
  const { token } = body as { token?: { issued_at?: unknown; expires_at?: unknown } };
  const life = Date.parse(String(token?.expires_at)) - Date.parse(String(token?.issued_at));
  return Number.isFinite(life) ? life : undefined;
}

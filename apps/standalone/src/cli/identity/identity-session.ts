/** Identity's API, used as one user for the duration of a command. */
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import type { ServiceRequest } from '@cumulet/clients/http/service-request';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import { CommandError } from '../command-error.js';
import type { Actor } from './actor.js';
import { authRequest } from './auth-request.js';

/** Identity refused, in its own words. */
export class RefusedError extends CommandError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Whether the request took effect is unknown. */
export class UnansweredError extends CommandError {}

export interface Named {
  readonly id: string;
  readonly name: string;
}

export class IdentitySession {
  private constructor(
    private readonly client: ServiceClient,
    private readonly actor: Actor,
    private readonly token: string,
    /** The token's domain, or else its user's. */
    readonly domainId: string,
    private readonly catalog: readonly CatalogService[],
  ) {}

  /**
   * Logs in, works, and closes the connections.
   * @throws CommandError for any refusal by identity
   */
  static async during<T>(actor: Actor, work: (session: IdentitySession) => Promise<T>): Promise<T> {
    const json = authRequest(actor);
    const client = new ServiceClient({ service: 'identity', baseUrl: actor.identityUrl });
    try {
      const path = '/v3/auth/tokens';
      const { headers, body } = await answerOf(actor, client.send({ method: 'POST', path, json }));
      const token = headers['x-subject-token'];
      if (typeof token !== 'string')
        throw new CommandError(`${actor.identityUrl} is no identity service`);
      const { domainId, catalog } = loginOf(body);
      return await work(new IdentitySession(client, actor, token, domainId, catalog));
    } finally {
      await client.close();
    }
  }

  /** @returns the answer's body @throws RefusedError, UnansweredError */
  async send(request: ServiceRequest): Promise<unknown> {
    const answer = this.client.send({ ...request, actor: asBearer(this.token) });
    return (await answerOf(this.actor, answer)).body;
  }

  /**
   * Reads from another service of the catalog, as the same user.
   * @param type of the service: `s3`
   * @returns the answer's body
   * @throws CommandError if the catalog has no such service; RefusedError, UnansweredError
   */
  async read(type: string, path: string): Promise<unknown> {
    const baseUrl = this.#endpointOf(type);
    const client = new ServiceClient({ service: type, baseUrl });
    try {
      const answer = client.send({ path, actor: asBearer(this.token) });
      return (await answerOf({ ...this.actor, identityUrl: baseUrl }, answer)).body;
    } finally {
      await client.close();
    }
  }

  #endpointOf(type: string): string {
    const { region, from } = this.actor;
    const endpoint = this.catalog
      .find((service) => service.type === type)
      ?.endpoints.find(
        (one) => one.interface === 'public' && (region === undefined || one.region_id === region),
      );
    if (endpoint) return endpoint.url.replace(/\/+$/, '');
    throw new CommandError(`The catalog has no service ${type} for ${from}`);
  }

  /** Creates a resource of the collection. @throws RefusedError, UnansweredError */
  async create(collection: string, kind: string, fields: object): Promise<Named> {
    const json = { [kind]: fields };
    const actor = asBearer(this.token);
    const answer = this.client.create({ actor, path: `/v3/${collection}`, json });
    const { body } = await answerOf(this.actor, answer);
    return (body as Record<string, Named>)[kind] as Named;
  }

  /** The first resource of the collection that the query finds. @throws RefusedError, UnansweredError */
  async findOne(
    collection: string,
    query: Readonly<Record<string, string>>,
  ): Promise<Named | undefined> {
    const body = await this.send({ path: `/v3/${collection}`, query });
    return (body as Record<string, readonly Named[]>)[collection]?.[0];
  }
}

/** @throws RefusedError, UnansweredError */
async function answerOf(
  actor: Actor,
  answer: ReturnType<ServiceClient['send']>,
): ReturnType<ServiceClient['send']> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceRefusedError) {
      const { status, serviceMessage, message } = error;
      // The acting user may be the cause, and is easily overlooked.
      const by = status === 401 || status === 403 ? ` (asked by ${actor.from})` : '';
      throw new RefusedError(status, `${serviceMessage ?? message}${by}`);
    }
    if (error instanceof ServiceUnavailableError) {
      const reason = typeof error.cause === 'string' ? ` (${error.cause})` : '';
      throw new UnansweredError(`${actor.identityUrl} does not answer as it should${reason}`);
    }
    throw error;
  }
}

interface CatalogService {
  readonly type: string;
  readonly endpoints: readonly {
    readonly interface: string;
    readonly region_id: string | null;
    readonly url: string;
  }[];
}

interface LoginToken {
  readonly domain?: { readonly id: string };
  readonly user: { readonly domain: { readonly id: string } };
  /** Tokens without a scope have none. */
  readonly catalog?: readonly CatalogService[];
}

function loginOf(body: unknown): { domainId: string; catalog: readonly CatalogService[] } {
  const { domain, user, catalog = [] } = (body as { token: LoginToken }).token;
  return { domainId: domain?.id ?? user.domain.id, catalog };
}

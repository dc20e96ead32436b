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
import type { AuthField, AuthFields } from '../config.js';

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
        throw new CommandError(`${actor.identityUrl} is not an identity service`);
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

const DEFAULT_DOMAIN = 'default';

/** @throws CommandError naming what is missing or unknown; never a password */
export function authRequest({ from, authType, auth }: Actor): object {
  const need = (field: AuthField): string => {
    const value = auth[field];
    if (value === undefined) throw new CommandError(`${from}: ${field} is missing`);
    return value;
  };
  switch (authType ?? usualType(auth)) {
    case 'password':
    case 'v3password':
      return body(
        'password',
        { user: { ...userOf(auth, need), password: need('password') } },
        auth,
      );
    case 'token':
    case 'v3token':
      return body('token', { id: need('token') }, auth);
    case 'v3applicationcredential':
      // It belongs to one project, so it takes no scope.
      return body('application_credential', applicationCredential(auth, need), {});
    default:
      throw new CommandError(
        `${from}: auth_type must be password, token or v3applicationcredential; "${String(authType)}" is not`,
      );
  }
}

function usualType(auth: AuthFields): string {
  return auth.application_credential_secret === undefined ? 'password' : 'v3applicationcredential';
}

function body(method: string, proof: object, auth: AuthFields): object {
  return {
    auth: { identity: { methods: [method], [method]: proof }, ...scopeOf(auth) },
  };
}

function userOf(auth: AuthFields, need: (field: AuthField) => string): object {
  if (auth.user_id !== undefined) return { id: auth.user_id };
  return { name: need('username'), domain: domain(auth.user_domain_id, auth.user_domain_name) };
}

function applicationCredential(auth: AuthFields, need: (field: AuthField) => string): object {
  const secret = need('application_credential_secret');
  if (auth.application_credential_id !== undefined)
    return { id: auth.application_credential_id, secret };
  return { name: need('application_credential_name'), user: userOf(auth, need), secret };
}

function scopeOf(auth: AuthFields): object {
  if (auth.system_scope === 'all') return { scope: { system: { all: true } } };
  if (auth.project_id !== undefined) return { scope: { project: { id: auth.project_id } } };
  if (auth.project_name !== undefined) {
    const of = domain(auth.project_domain_id, auth.project_domain_name);
    return { scope: { project: { name: auth.project_name, domain: of } } };
  }
  if (auth.domain_id === undefined && auth.domain_name === undefined) return {};
  return { scope: { domain: domain(auth.domain_id, auth.domain_name) } };
}

function domain(id: string | undefined, name: string | undefined): object {
  return id === undefined && name !== undefined ? { name } : { id: id ?? DEFAULT_DOMAIN };
}

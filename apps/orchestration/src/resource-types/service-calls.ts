/**
 * Calls of one resource to a sister service: as the stack's owner, with the resource's key for
 * creations.
 *
 * Always holds: a refusal that the type recognizes as busy becomes a `NotYetError`, after which the
 * engine retries.
 */
import { buffer } from 'node:stream/consumers';
import type { ServiceClient, ServiceResponse } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { ServiceRequest } from '@cumulet/clients/http/service-request';
import type { Json, JsonObject } from '../json/json.js';
import { asObject } from './property-values.js';
import { NotYetError, ServiceMissingError } from './resource-type.errors.js';
import type { CallScope } from './resource-type.js';
import type { ServiceName } from '../sister-services.js';

export interface CallOptions {
  /** Whether the service may accept a refused request later. */
  readonly isBusy?: (refused: ServiceRefusedError) => boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

type Query = ServiceRequest['query'];

export class ServiceCalls {
  readonly #client: ServiceClient;

  /** @throws ServiceMissingError if this cloud has no such service */
  constructor(
    private readonly scope: CallScope,
    service: ServiceName,
    private readonly options: CallOptions = {},
  ) {
    const client = scope.services[service];
    if (!client) throw new ServiceMissingError(service);
    this.#client = client;
  }

  /** @returns the body; undefined for 404 */
  async find(path: string, query?: Query): Promise<JsonObject | undefined> {
    const answer = await this.#waiting(() =>
      this.#client.find(this.#request({ path, ...(query ? { query } : {}) })),
    );
    return answer && (asObject(answer.body) ?? {});
  }

  /** @returns the body, or `{}` */
  async get(path: string, query?: Query): Promise<JsonObject> {
    return this.#send({ path, ...(query ? { query } : {}) });
  }

  async bytes(path: string): Promise<Buffer> {
    const request = this.#request({ path, headers: { accept: '*/*' } });
    const { body } = await this.#waiting(() => this.#client.open(request));
    return buffer(body);
  }

  /** Repeatable. @param part distinguishes several creations of one resource */
  async create(path: string, json: Json, part?: string): Promise<JsonObject> {
    const idempotencyKey = part === undefined ? this.scope.key() : this.scope.key(part);
    return bodyOf(
      await this.#waiting(() =>
        this.#client.create({ ...this.#request({ path, json }), idempotencyKey }),
      ),
    );
  }

  /** A POST that creates nothing. */
  async act(path: string, json: Json): Promise<JsonObject> {
    return this.#send({ method: 'POST', path, json });
  }

  async put(path: string, json?: Json): Promise<JsonObject> {
    return this.#send({ method: 'PUT', path, ...(json === undefined ? {} : { json }) });
  }

  async patch(path: string, json: Json, headers?: Record<string, string>): Promise<JsonObject> {
    return this.#send({ method: 'PATCH', path, json, ...(headers ? { headers } : {}) });
  }

  /** A missing resource is a success. */
  async remove(path: string, query?: Query): Promise<void> {
    await this.#waiting(() =>
      this.#client.find(this.#request({ method: 'DELETE', path, ...(query ? { query } : {}) })),
    );
  }

  async #send(request: ServiceRequest): Promise<JsonObject> {
    return bodyOf(await this.#waiting(() => this.#client.send(this.#request(request))));
  }

  #request<T extends ServiceRequest>(request: T): T & ServiceRequest {
    const { actor, signal } = this.scope;
    const headers = { ...this.options.headers, ...request.headers };
    return { ...request, actor, signal, headers };
  }

  async #waiting<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { isBusy } = this.options;
      if (isBusy && error instanceof ServiceRefusedError && isBusy(error))
        throw new NotYetError(error.message, { cause: error });
      throw error;
    }
  }
}

function bodyOf({ body }: ServiceResponse): JsonObject {
  return asObject(body) ?? {};
}

/** @param entity null if the body has no wrapping key */
export function entityIn(body: JsonObject, entity: string | null): JsonObject {
  return entity === null ? body : (asObject(body[entity]) ?? {});
}

/** @throws Error if a service answers a creation without an ID, which is its bug */
export function idIn(shown: JsonObject, field = 'id'): string {
  const id = shown[field];
  if (typeof id === 'string' && id !== '') return id;
  if (typeof id === 'number') return String(id);
  throw new Error(`the service answered without ${field}`);
}

/** Encodes an ID from outside for a path. */
export function part(id: string): string {
  return encodeURIComponent(id);
}

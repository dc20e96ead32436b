/**
 * A narrow client for a sister service's API: JSON in, JSON out, streams where bytes are large.
 *
 * Always holds: every request has a deadline; no error contains a header of the request; redirects are
 * not followed; a lost answer does not create anything twice; a refused token is replaced once; one
 * replica of the service that is gone or being stopped does not fail a request (`replicas.ts`).
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import type { JsonCodec } from '@cumulet/common/service/tokens';
import { NO_CREDENTIALS, type Credentials, type ShownTokens } from './credentials.js';
import { Replicas, type ReplicaOptions } from './replicas.js';
import { ServiceRefusedError, ServiceUnavailableError } from './service-client-errors.js';
import { headersOf, queryOf, type CreateRequest, type ServiceRequest } from './service-request.js';

export interface ServiceClientOptions extends ReplicaOptions {
  /** The service's name in messages: `images`. */
  readonly service: string;
  /** Its address, with any path prefix: `http://images:9292`, `http://127.0.0.1:8080/image`. */
  readonly baseUrl: string;
  /** To act as the service or through trusts; without, only as the bearer of a token. */
  readonly credentials?: Credentials;
  /** Its own JSON codec, in place of JavaScript's. */
  readonly json?: JsonCodec;
  /** Milliseconds to wait before each further try of a `create`; 250 and 1000 by default. */
  readonly retryPauses?: readonly number[];
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body; undefined without one. The caller checks its shape. */
  readonly body: unknown;
}

export interface ServiceStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** Maximum characters read of a JSON answer; no sister sends a longer one. */
const JSON_LIMIT = 64 * 1024 * 1024;

export class ServiceClient {
  readonly #replicas: Replicas;
  readonly #prefix: string;
  readonly #service: string;
  readonly #credentials: Credentials;
  readonly #retryPauses: readonly number[];
  readonly #codec: JsonCodec;

  constructor(options: ServiceClientOptions) {
    const { pathname } = new URL(options.baseUrl);
    this.#service = options.service;
    this.#credentials = options.credentials ?? NO_CREDENTIALS;
    this.#codec = options.json ?? JSON;
    this.#retryPauses = options.retryPauses ?? [250, 1_000];
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#replicas = new Replicas(options.baseUrl, options);
  }

  /**
   * @returns the answer of any 2xx status
   * @throws ServiceRefusedError when the service refuses, which is final
   * @throws ServiceUnavailableError when it is unreachable, too slow, too busy, or fails
   * @throws DelegationEndedError if the actor's trust has ended
   */
  async send(request: ServiceRequest): Promise<ServiceResponse> {
    const { status, headers, body } = await this.open(request);
    const text = await this.#text(body);
    return { status, headers, body: text === '' ? undefined : this.#json(text, status) };
  }

  /**
   * As `send` of a POST that creates something. Without an answer it is sent again with the same
   * Idempotency-Key, which gets the first answer if that was only lost.
   */
  async create(request: CreateRequest): Promise<ServiceResponse> {
    const { idempotencyKey = randomUUID(), ...rest } = request;
    const headers = { ...rest.headers, 'idempotency-key': idempotencyKey };
    const attempt = (): Promise<ServiceResponse> => this.send({ ...rest, method: 'POST', headers });
    for (const pause of this.#retryPauses) {
      try {
        return await attempt();
      } catch (error) {
        const isOver = this.#replicas.isClosed || rest.signal?.aborted === true;
        if (isOver || !(error instanceof ServiceUnavailableError)) throw error;
        await setTimeout(pause);
      }
    }
    return attempt();
  }

  /** As `send`, but undefined if the service answers 404. */
  async find(request: ServiceRequest): Promise<ServiceResponse | undefined> {
    try {
      return await this.send(request);
    } catch (error) {
      // Another service may have refused, such as identity a token.
      const isOwn = error instanceof ServiceRefusedError && error.service === this.#service;
      if (isOwn && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * As `send`, with the answer's body as a stream. The one place that replaces a refused token: it
   * may have been revoked, or be one that a restored identity never signed.
   */
  async open(request: ServiceRequest): Promise<ServiceStream> {
    const { actor, stream } = request;
    if (!actor) return this.#attempt(request, undefined);
    const shown = await this.#credentials.of(actor);
    try {
      return await this.#attempt(request, shown);
    } catch (error) {
      if (!(error instanceof ServiceRefusedError && error.status === 401)) throw error;
      this.#credentials.invalidate(actor, shown);
      if (stream) throw error;
      const renewed = await this.#credentials.of(actor);
      if (isSame(shown, renewed)) throw error;
      return this.#attempt(request, renewed);
    }
  }

  /** Aborts all requests in progress, and closes the connections. */
  async close(): Promise<void> {
    await this.#replicas.close();
  }

  async #attempt(request: ServiceRequest, shown: ShownTokens | undefined): Promise<ServiceStream> {
    const { statusCode: status, headers, body } = await this.#dispatch(request, shown);
    if (status >= 200 && status < 300) return { status, headers, body };
    const message = messageOf(await this.#text(body));
    if (isTransient(status, headers)) {
      throw new ServiceUnavailableError(
        this.#service,
        `status ${status}: ${message ?? 'no message'}`,
      );
    }
    throw new ServiceRefusedError(this.#service, status, message, request.actor?.as);
  }

  async #dispatch(
    request: ServiceRequest,
    shown: ShownTokens | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', path, json, stream, signal } = request;
    const body = json === undefined ? stream : this.#codec.stringify(json);
    try {
      return await this.#replicas.request({
        method,
        path: this.#prefix + path,
        headers: headersOf(request, shown),
        ...queryOf(request),
        body,
        signal,
      });
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  async #text(body: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > JSON_LIMIT) throw new Error(`the answer is longer than ${JSON_LIMIT} bytes`);
        chunks.push(chunk);
      }
    } catch (error) {
      throw this.#unavailable(error);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #json(text: string, status: number): unknown {
    try {
      return this.#codec.parse(text);
    } catch {
      throw new ServiceUnavailableError(
        this.#service,
        `status ${status} with a body that is not JSON`,
      );
    }
  }

  /** The cause keeps only code and text: undici's own errors can hold parts of the traffic. */
  #unavailable(error: unknown): ServiceUnavailableError {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return new ServiceUnavailableError(
      this.#service,
      [code, message].filter((part) => typeof part === 'string' && part !== '').join(': '),
    );
  }
}

/**
 * Whether the same request may succeed later: not after 501, but after 408 and 429, and after a 409
 * with Retry-After, while another try with the same Idempotency-Key has no answer yet.
 */
function isTransient(status: number, headers: ServiceStream['headers']): boolean {
  if (status === 409) return headers['retry-after'] !== undefined;
  return [408, 429].includes(status) || (status >= 500 && status !== 501);
}

function isSame(one: ShownTokens, other: ShownTokens): boolean {
  return one.token === other.token && one.serviceToken === other.serviceToken;
}

/** The message of an error body: every JSON error of the platform has one in its first object. */
function messageOf(text: string): string | undefined {
  try {
    const [first] = Object.values(JSON.parse(text) as Record<string, unknown>);
    const message = (first as { message?: unknown } | null | undefined)?.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Closed at the shutdown of the application that provides it. */
export abstract class SisterClient implements OnApplicationShutdown {
  protected readonly client: ServiceClient;

  protected constructor(options: ServiceClientOptions) {
    this.client = new ServiceClient(options);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

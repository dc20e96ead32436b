/**
 * A narrow client for a sister service's API: JSON in, JSON out, streams where bytes are large.
 *
 * Always holds: every request has a deadline; no error holds a token or another header of the
 * request; redirects are not followed; nothing is created twice because an answer was lost.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { traceHeaders } from '@cumulet/common/observe/tracing';
import { Pool, type Dispatcher } from 'undici';
import { ServiceRefusedError, ServiceUnavailableError } from './service-client-errors.js';

export interface ServiceClientOptions {
  /** The service's name in messages: `images`. */
  readonly service: string;
  /** Its address, with any path prefix: `http://127.0.0.1:8080/image`. */
  readonly baseUrl: string;
  /** Connect timeout in milliseconds; 2 s by default. */
  readonly connectTimeout?: number;
  /** Timeout in milliseconds for the headers, and between two chunks of a body; 15 s by default. */
  readonly responseTimeout?: number;
  /** Maximum concurrent connections; 16 by default. */
  readonly connections?: number;
  /** Milliseconds to wait before each further try of a `create`; 250 and 1000 by default. */
  readonly retryPauses?: readonly number[];
}

export interface ServiceRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address: `/v2/images/…`; parts from outside go through `encodeURIComponent`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** The caller's own token, or the service's. */
  readonly token?: string | undefined;
  /** The service's own token beside the caller's: shows that a sister asks to serve a request. */
  readonly serviceToken?: string | undefined;
  /** On whose behalf: passes on its global request id, or else its own. */
  readonly ctx?: Pick<RequestContext, 'requestId' | 'globalRequestId'> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged; give its Content-Type among the headers. */
  readonly stream?: Readable;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

export interface CreateRequest extends Omit<ServiceRequest, 'method' | 'stream'> {
  /**
   * Names this one creation: 1 to 255 visible ASCII characters. Work that may be resumed by another
   * process gives a key that follows from its row; by default the key is of this call alone.
   */
  readonly idempotencyKey?: string;
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
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #service: string;
  readonly #retryPauses: readonly number[];

  constructor(options: ServiceClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.#service = options.service;
    this.#retryPauses = options.retryPauses ?? [250, 1_000];
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#pool = new Pool(origin, {
      connections: options.connections ?? 16,
      connect: { timeout: options.connectTimeout ?? 2_000 },
      headersTimeout: options.responseTimeout ?? 15_000,
      bodyTimeout: options.responseTimeout ?? 15_000,
    });
  }

  /**
   * @returns the answer of any 2xx status
   * @throws ServiceRefusedError for any other status below 500
   * @throws ServiceUnavailableError when the service is unreachable, too slow, or fails
   */
  async send(request: ServiceRequest): Promise<ServiceResponse> {
    const { status, headers, body } = await this.open(request);
    const text = await this.#text(body);
    return { status, headers, body: text === '' ? undefined : this.#json(text, status) };
  }

  /**
   * As `send` of a POST that creates something. Where no answer comes it is sent again under the
   * same Idempotency-Key, which gets the first answer if that was only lost.
   */
  async create(request: CreateRequest): Promise<ServiceResponse> {
    const { idempotencyKey = randomUUID(), ...rest } = request;
    const headers = { ...rest.headers, 'idempotency-key': idempotencyKey };
    const attempt = (): Promise<ServiceResponse> => this.send({ ...rest, method: 'POST', headers });
    for (const pause of this.#retryPauses) {
      try {
        return await attempt();
      } catch (error) {
        const isOver = this.#pool.destroyed || rest.signal?.aborted === true;
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
      if (error instanceof ServiceRefusedError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** As `send`, with the answer's body as a stream. */
  async open(request: ServiceRequest): Promise<ServiceStream> {
    const response = await this.#dispatch(request);
    const { statusCode: status, headers, body } = response;
    if (status >= 200 && status < 300) return { status, headers, body };
    const text = await this.#text(body);
    const message = messageOf(text);
    if (status >= 500 || isUnderWay(status, headers)) {
      throw new ServiceUnavailableError(
        this.#service,
        `status ${status}: ${message ?? 'no message'}`,
      );
    }
    throw new ServiceRefusedError(this.#service, status, message);
  }

  /** Aborts all requests in progress, and closes the connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #dispatch(request: ServiceRequest): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', json, stream, signal } = request;
    const body = json === undefined ? stream : JSON.stringify(json);
    try {
      return await this.#pool.request({
        method,
        path: this.#prefix + request.path,
        headers: headersOf(request),
        ...(request.query ? { query: defined(request.query) } : {}),
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
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
      return JSON.parse(text) as unknown;
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

/** Another try with the same Idempotency-Key has not been answered yet. */
function isUnderWay(status: number, headers: ServiceStream['headers']): boolean {
  return status === 409 && headers['retry-after'] !== undefined;
}

function headersOf({
  token,
  serviceToken,
  ctx,
  json,
  headers,
}: ServiceRequest): Record<string, string> {
  const requestId = ctx?.globalRequestId ?? ctx?.requestId;
  return {
    accept: 'application/json',
    ...traceHeaders(),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...(requestId === undefined ? {} : { 'x-openstack-request-id': requestId }),
    ...(token === undefined ? {} : { 'x-auth-token': token }),
    ...(serviceToken === undefined ? {} : { 'x-service-token': serviceToken }),
  };
}

function defined(
  query: Readonly<Record<string, string | number | undefined>>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(query).filter(
      (entry): entry is [string, string | number] => entry[1] !== undefined,
    ),
  );
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

/**
 * HTTP for tests: the whole answer at once, and no status throws. A service's answers are compared
 * with its OpenAPI document.
 */
import type { Contract } from '@cumulet/common/app/create-http-app';
import type { ServiceApp } from '@cumulet/common/app/service-app';
import { AnswerCheck } from './answer-check.js';

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; `undefined` if there is none or it is not JSON. */
  readonly body: unknown;
}

export interface TestRequest {
  readonly token?: string | undefined;
  /** Sent as JSON, unless it is a string or bytes, which are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class TestClient {
  /** @param contract of the service: every answer is compared with its document */
  constructor(
    readonly baseUrl: string,
    private readonly contract?: Pick<Contract, 'pathOf'> & { readonly answers: AnswerCheck },
  ) {}

  /** A client of a service that was started with its own port. */
  static of(
    { address = '', contract }: Pick<ServiceApp, 'address' | 'contract'>,
    service: object,
  ): TestClient {
    const answers = AnswerCheck.of(service, contract);
    return new TestClient(address, { answers, pathOf: (path) => contract.pathOf(path) });
  }

  get(path: string, request: TestRequest = {}): Promise<TestResponse> {
    return this.send('GET', path, request);
  }

  post(path: string, request: TestRequest = {}): Promise<TestResponse> {
    return this.send('POST', path, request);
  }

  put(path: string, request: TestRequest = {}): Promise<TestResponse> {
    return this.send('PUT', path, request);
  }

  patch(path: string, request: TestRequest = {}): Promise<TestResponse> {
    return this.send('PATCH', path, request);
  }

  delete(path: string, request: TestRequest = {}): Promise<TestResponse> {
    return this.send('DELETE', path, request);
  }

  async send(
    method: string,
    path: string,
    { token, body, headers }: TestRequest = {},
  ): Promise<TestResponse> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { 'X-Auth-Token': token }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) };
    const documented = this.contract?.pathOf(path.split('?', 1)[0] ?? '') ?? '';
    this.contract?.answers.check(method, path, documented, answer);
    return answer;
  }
}

/** @returns `undefined` for what is not JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Requests to a cloud that may be killed at any moment. */
import { readFile } from 'node:fs/promises';
import type { RunningCloud } from '../support/running-cloud.js';

export interface Answer {
  /** 0 where none came: the request may have been carried out, or not. */
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

const NO_ANSWER: Answer = { status: 0, body: undefined, headers: new Headers() };

/** A request that hangs for longer counts as one without an answer. */
const LIMIT_MS = 20_000;

export class CloudClient {
  readonly statuses = new Map<number, number>();
  readonly failures: string[] = [];
  #tokens: Readonly<Record<string, string>> = {};

  constructor(private readonly cloud: Pick<RunningCloud, 'cloudsYaml' | 'url'>) {}

  /** As the users that the cloud made at its first start. */
  async logIn(): Promise<void> {
    const yaml = await readFile(this.cloud.cloudsYaml, 'utf8');
    const [demo, admin] = [...yaml.matchAll(/password: "([^"]+)"/g)].map(
      ([, password]) => password,
    );
    this.#tokens = {
      demo: await this.#token('demo', demo),
      admin: await this.#token('admin', admin),
    };
  }

  async send(
    method: string,
    path: string,
    { as = 'demo', json, bytes, version }: Content = {},
  ): Promise<Answer> {
    const type = bytes ? 'application/octet-stream' : 'application/json';
    try {
      const response = await fetch(this.cloud.url + path, {
        method,
        headers: {
          'X-Auth-Token': this.#tokens[as] ?? '',
          'Content-Type': type,
          ...(version === undefined ? {} : { 'OpenStack-API-Version': version }),
        },
        signal: AbortSignal.timeout(LIMIT_MS),
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(bytes === undefined ? {} : { body: bytes }),
      });
      const text = await response.text();
      this.#count(response.status);
      if (response.status === 500) this.failures.push(`${method} ${path}: ${text}`);
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      return { status: response.status, body, headers: response.headers };
    } catch {
      this.#count(0);
      return NO_ANSWER;
    }
  }

  /** Returns once the cloud answers again. */
  async reach(): Promise<void> {
    while ((await this.send('GET', '/identity/v3')).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  async #token(name: string, password: string | undefined): Promise<string> {
    const domain = { id: 'default' };
    const identity = { methods: ['password'], password: { user: { name, domain, password } } };
    const json = { auth: { identity, scope: { project: { name, domain } } } };
    const { headers } = await this.send('POST', '/identity/v3/auth/tokens', { json });
    return headers.get('X-Subject-Token') ?? '';
  }
}

export interface Content {
  readonly as?: 'demo' | 'admin';
  readonly json?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** A service, and a microversion of it. */
  readonly version?: string;
}

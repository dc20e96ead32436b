/** Requests about metadata definitions, by default as an administrator. */
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { TestImages } from '../images.fixture.js';

export type Wire = Readonly<Record<string, unknown>>;

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A minimal property. */
export const COLOUR = { title: 'Colour', type: 'string' };

export class TestMetadefs {
  private constructor(readonly images: TestImages) {}

  static async start(): Promise<TestMetadefs> {
    return new TestMetadefs(await TestImages.start());
  }

  /** @param path below `/v2/metadefs` */
  send(
    method: string,
    path: string,
    { body, token = this.images.admin, headers = {} }: SendOptions = {},
  ): Promise<TestResponse> {
    const request = { token, body, headers };
    return this.images.client.send(method, `/v2/metadefs${path}`, request);
  }

  /** The answer's body, if it has the expected status. */
  async done(method: string, path: string, body?: unknown): Promise<Wire> {
    const { status, text, body: answer } = await this.send(method, path, { body });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return answer as Wire;
  }

  async get(path: string, token = this.images.reader): Promise<Wire> {
    return (await this.send('GET', path, { token })).body as Wire;
  }

  /** @returns the path of a new public namespace */
  async namespace(fields: object = {}): Promise<string> {
    const body = { namespace: `ns ${newId()}`, visibility: 'public', ...fields };
    await this.done('POST', '/namespaces', body);
    return `/namespaces/${encodeURIComponent(body.namespace)}`;
  }

  stop(): Promise<void> {
    return this.images.stop();
  }
}

interface SendOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

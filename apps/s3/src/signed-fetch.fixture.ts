/** Requests that are signed but otherwise just as a test wants them; an SDK would not send them. */
import { createHash, createHmac } from 'node:crypto';
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import type { TestS3 } from './s3.fixture.js';

export interface SignedRequest {
  readonly method: string;
  /** As it is to be sent, with its query, each part percent-encoded: `/bucket?list-type=2`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** That of the member by default. */
  readonly key?: AccessKey;
}

export interface SignedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of an error. */
  readonly code: string | undefined;
}

export async function signedFetch(s3: TestS3, request: SignedRequest): Promise<SignedAnswer> {
  const { method, path, body } = request;
  const headers = signedHeaders(s3, request);
  const response = await fetch(s3.url + path, { method, headers, body: body ?? null });
  const text = await response.text();
  const [, code] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  return { status: response.status, headers: response.headers, text, code };
}

/** The request's own, and those that sign it. */
export function signedHeaders(s3: TestS3, request: SignedRequest): Record<string, string> {
  const { method, path, body = '', key = s3.member } = request;
  const time = new Date().toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
  };
  const named = Object.entries({ ...headers, host: new URL(s3.url).host }).sort(byName);
  const names = named.map(([name]) => name).join(';');
  const [at = '', query = ''] = path.split('?');
  const canonical = [
    method,
    at.replaceAll(':', '%3A'),
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...named.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const signature = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${key.secret}`);
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash].join('\n');
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${key.access}/${scope}, SignedHeaders=${names}, ` +
    `Signature=${hmac(signature, toSign).toString('hex')}`;
  return headers;
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

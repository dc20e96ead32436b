/** Signs requests as clients do, by Amazon's library and by hand, and sends them byte by byte. */
import { createHash, createHmac } from 'node:crypto';
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import { SignatureV4 } from '@smithy/signature-v4';
import type { TestS3 } from '../s3.fixture.js';

export interface Sent {
  readonly method: string;
  /** `/bucket/key` */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  /** Of an error; empty otherwise. */
  readonly code: string;
  readonly text: string;
}

export type Headers = Record<string, string>;

/** @param payload for `x-amz-content-sha256` */
export async function signedHeaders(
  s3: TestS3,
  { headers = {}, ...sent }: Sent,
  payload = 'UNSIGNED-PAYLOAD',
  key: AccessKey = s3.member,
): Promise<Headers> {
  const { host } = new URL(s3.url);
  const request = { host, ...headers, 'x-amz-content-sha256': payload };
  return (await signerOf(key).sign(requestOf(s3, { ...sent, headers: request }))).headers;
}

/** @returns the presigned path and query; headers of `sent` are moved into it */
export async function presigned(
  s3: TestS3,
  sent: Sent,
  {
    expiresIn = 60,
    signingDate = new Date(),
    stay = [] as readonly string[],
    key = s3.member,
  } = {},
): Promise<string> {
  const { host } = new URL(s3.url);
  const headers = { host, ...sent.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const unhoistableHeaders = new Set(stay);
  const { path, query } = await signerOf(key).presign(requestOf(s3, { ...sent, headers }), {
    expiresIn,
    signingDate,
    unhoistableHeaders,
  });
  const pairs = Object.entries(query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return `${path}?${pairs.join('&')}`;
}

/**
 * A body in chunks that continue the signature of its request.
 * @param trailer `x-amz-checksum-crc32:…`
 */
export function signedChunks(
  { secret }: AccessKey,
  headers: Headers,
  chunks: readonly string[],
  trailer?: string,
): string {
  const [, scope = '', seed = ''] =
    /Credential=[^/]+\/([^,]+),.*Signature=(\w+)/.exec(headers['authorization'] ?? '') ?? [];
  const key = scope
    .split('/')
    .reduce<string | Buffer>((former, part) => hmac(former, part), `AWS4${secret}`);
  let last = seed;
  const sign = (kind: string, ...hashes: readonly string[]): string => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, headers['x-amz-date'], scope, last, ...hashes];
    return (last = hmac(key, text.join('\n')).toString('hex'));
  };
  const framed = [...chunks, ''].map((chunk) => {
    const signature = sign('PAYLOAD', sha256(''), sha256(chunk));
    const end = chunk === '' ? '' : `${chunk}\r\n`;
    return `${Buffer.byteLength(chunk).toString(16)};chunk-signature=${signature}\r\n${end}`;
  });
  if (trailer === undefined) return `${framed.join('')}\r\n`;
  const signature = sign('TRAILER', sha256(`${trailer}\n`));
  return `${framed.join('')}${trailer}\r\nx-amz-trailer-signature:${signature}\r\n\r\n`;
}

/** @returns `Authorization` of version 2, over the given lines */
export function version2({ access, secret }: AccessKey, lines: readonly string[]): string {
  return `AWS ${access}:${signature2(secret, lines)}`;
}

export function signature2(secret: string, lines: readonly string[]): string {
  return createHmac('sha1', secret).update(lines.join('\n')).digest('base64');
}

/** @param path as it is sent, with its query */
export function openRequest(
  s3: TestS3,
  { method, path }: Pick<Sent, 'method' | 'path'>,
  headers: Headers,
): ClientRequest {
  const { hostname, port } = new URL(s3.url);
  return send({ hostname, port, method, path, headers, agent: false });
}

export async function answerOf(request: ClientRequest): Promise<Answered> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const pieces = (await response.toArray()) as Buffer[];
  const text = Buffer.concat(pieces).toString();
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  return { status: response.statusCode ?? 0, code, text };
}

export async function answerTo(
  s3: TestS3,
  sent: Pick<Sent, 'method' | 'path'>,
  headers: Headers = {},
  body: string | Buffer = '',
): Promise<Answered> {
  const request = openRequest(s3, sent, headers);
  const answer = answerOf(request);
  request.end(body);
  return answer;
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function requestOf(s3: TestS3, { method, path, query = {}, headers = {} }: Sent) {
  const { hostname, port } = new URL(s3.url);
  return {
    method,
    path,
    hostname,
    protocol: 'http:',
    port: Number(port),
    query: { ...query },
    headers: { ...headers },
  };
}

function signerOf({ access, secret }: AccessKey): SignatureV4 {
  return new SignatureV4({
    service: 's3',
    region: 'us-east-1',
    credentials: { accessKeyId: access, secretAccessKey: secret },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
}

/** As the library wants it. */
class Sha256 {
  readonly #hash: { update(bytes: Buffer): unknown; digest(): Buffer };

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(bytes: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(bytes));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

/**
 * HTTP proxy at the metadata address: forwards guests' requests to compute's replicas, naming the
 * server that asks. Public source: neutron, `agent/metadata/proxy_base.py`.
 */
import * as http from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { Replicas, type ReplicaRequest } from '@cumulet/clients/http/replicas';
import { hasSeveralHosts } from '@cumulet/common/http/http-server';
import { UNHANDLED_HEADER } from '@cumulet/common/service/drain';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { ConnectionSlots, type Requester, type GuestService } from './network-server.js';

export interface MetadataProxyOptions {
  /** Base URL of compute's metadata service; undefined if there is none. */
  readonly url: string | undefined;
  /** The secret shared with compute; undefined if there is none. */
  readonly secret: string | undefined;
}

const PORT = 80;
const MAX_CONNECTIONS = 32;
const MAX_HEADER_BYTES = 16 * 1024;
/** The only body that guests send is an encrypted password. */
const MAX_BODY_BYTES = 64 * 1024;
const IDLE_MS = 30_000;
const ANSWER_MS = 60_000;

export class MetadataProxy implements GuestService {
  readonly port = PORT;
  readonly #slots = new ConnectionSlots(MAX_CONNECTIONS);
  readonly #askers = new WeakMap<Socket, Requester>();
  readonly #server: http.Server;
  /** Undefined if there is no metadata. */
  readonly #compute: Compute | undefined;

  constructor({ url, secret }: MetadataProxyOptions) {
    if (url !== undefined && secret !== undefined) this.#compute = new Compute(url, secret);
    this.#server = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
      this.#answer(request, response),
    );
    this.#server.setTimeout(IDLE_MS, (socket) => socket.destroy());
  }

  accept(socket: Socket, from: Requester): void {
    if (!this.#slots.take(from.portId, socket)) return;
    this.#askers.set(socket, from);
    this.#server.emit('connection', socket);
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const asker = this.#askers.get(request.socket);
    const path = pathOf(request.url);
    const isTooLong = Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES;
    // A port without a device has no metadata.
    if (!asker || asker.deviceId === '') refuse(response, 404);
    else if (!this.#compute) refuse(response, 503);
    else if (path === undefined || hasSeveralHosts(request)) refuse(response, 400);
    else if (isTooLong) refuse(response, 413);
    else void handOn(request, response, this.#compute, path, asker);
  }
}

/** Compute's metadata service, at whichever replica answers. */
class Compute {
  readonly #replicas: Replicas;
  readonly #prefix: string;

  constructor(
    url: string,
    private readonly secret: string,
  ) {
    this.#replicas = new Replicas(url, { responseTimeout: ANSWER_MS });
    this.#prefix = new URL(url).pathname.replace(/\/$/, '');
  }

  /** @throws as `Replicas.request` */
  request(
    { method, headers }: http.IncomingMessage,
    path: string,
    asker: Requester,
    body: Buffer,
    signal: AbortSignal,
  ) {
    return this.#replicas.request({
      method: method as ReplicaRequest['method'],
      path: this.#prefix + path,
      headers: requestHeaders(headers, asker, this.secret),
      body: body.length > 0 ? body : undefined,
      signal,
    });
  }
}

async function handOn(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  compute: Compute,
  path: string,
  asker: Requester,
): Promise<void> {
  const { socket } = request;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.once('finish', () => socket.setTimeout(IDLE_MS));
  try {
    // The whole body, so that it can be sent to another replica.
    const body = await bodyOf(request);
    if (!body) {
      refuse(response, 413);
      return;
    }
    // A guest that waits for a slow answer of compute is not idle.
    socket.setTimeout(0);
    const answer = await compute.request(request, path, asker, body, gone.signal);
    response.writeHead(answer.statusCode, responseHeaders(answer.headers));
    pipeline(answer.body, response, () => undefined);
  } catch (error) {
    const isLate = (error as { code?: unknown }).code === 'UND_ERR_HEADERS_TIMEOUT';
    refuse(response, isLate ? 504 : 503);
  }
}

/** @returns undefined for a body that is too long, of which the rest stays unread */
async function bodyOf(request: http.IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Otherwise the connection would be destroyed before the refusal is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @returns undefined for a path that leads out of the base URL */
function pathOf(url = ''): string | undefined {
  // Neither another host's path, nor one whose `..` URL does not see.
  if (!/^\/(?![/\\])/.test(url) || /%2f|%5c/i.test(url.replace(/\?.*$/s, ''))) return undefined;
  const { pathname, search } = new URL(url, 'http://metadata');
  return pathname + search;
}

function refuse(response: http.ServerResponse, status: number): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = `${status} ${http.STATUS_CODES[status] ?? ''}\n`;
  // The unread rest of the request would be taken for the next one.
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}

// The headers of requests to compute. Public sources: neutron, `agent/metadata/proxy_base.py` and
// `sign_instance_id` in `common/utils.py`; RFC 9110, section 7.6.1.

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** Headers by which a guest could impersonate another, and the length of the body as it is sent on. */
const SAID_HERE = /^(x-.*|forwarded|host|authorization|cookie|content-length)$/;

function requestHeaders(
  headers: IncomingHttpHeaders,
  asker: Requester,
  secret: string,
): ReplicaRequest['headers'] {
  const own = Object.entries(endToEnd(headers)).filter(([name]) => !SAID_HERE.test(name));
  return {
    ...Object.fromEntries(own),
    'x-forwarded-for': asker.address,
    'x-instance-id': asker.deviceId,
    'x-tenant-id': asker.projectId,
    'x-instance-id-signature': createHmac('sha256', secret).update(asker.deviceId).digest('hex'),
  };
}

/** Guests learn nothing of replicas. */
function responseHeaders(headers: Headers): OutgoingHttpHeaders {
  const { [UNHANDLED_HEADER]: _, ...others } = endToEnd(headers);
  return others;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function endToEnd(headers: Headers): Record<string, string | string[]> {
  const named = String(headers['connection'] ?? '').split(',');
  const dropped = new Set([...HOP_BY_HOP, ...named.map((one) => one.trim().toLowerCase())]);
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || dropped.has(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

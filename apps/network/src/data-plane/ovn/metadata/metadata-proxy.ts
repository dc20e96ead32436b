/**
 * HTTP proxy at the metadata address: forwards guests' requests to compute, naming the server that
 * asks. Public source: neutron, `agent/metadata/proxy_base.py`.
 */
import * as http from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import { hasSeveralHosts } from '@cumulet/common/http/http-server';
import { trusted } from '@cumulet/common/http/tls';
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

  constructor(private readonly options: MetadataProxyOptions) {
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
    const { url, secret } = this.options;
    const path = pathOf(request.url);
    const isTooLong = Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES;
    // A port without a device has no metadata.
    if (!asker || asker.deviceId === '') refuse(response, 404);
    else if (url === undefined || secret === undefined) refuse(response, 503);
    else if (path === undefined || hasSeveralHosts(request)) refuse(response, 400);
    else if (isTooLong) refuse(response, 413);
    else {
      const headers = requestHeaders(request.headers, asker, secret);
      this.#handOn(request, response, new URL(url.replace(/\/$/, '') + path), headers);
    }
  }

  #handOn(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    target: URL,
    headers: http.OutgoingHttpHeaders,
  ): void {
    // A guest that waits for a slow answer of compute is not idle.
    const { socket } = request;
    socket.setTimeout(0);
    const send = target.protocol === 'https:' ? httpsRequest : http.request;
    const upstream = send(target, {
      method: request.method,
      headers,
      timeout: ANSWER_MS,
      ...trusted(),
    });
    upstream.once('timeout', () => {
      refuse(response, 504);
      upstream.destroy();
    });
    upstream.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer.headers));
      pipeline(answer, response, () => undefined);
    });
    const body = new LimitedBody(MAX_BODY_BYTES);
    pipeline(request, body, upstream, () => undefined);
    upstream.on('error', () => refuse(response, body.isTooLong ? 413 : 503));
    response.once('close', () => upstream.destroy());
    response.once('finish', () => socket.setTimeout(IDLE_MS));
  }
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

/** Headers by which a guest could impersonate another. */
const SAID_HERE = /^(x-.*|forwarded|host|authorization|cookie)$/;

function requestHeaders(
  headers: IncomingHttpHeaders,
  asker: Requester,
  secret: string,
): OutgoingHttpHeaders {
  const own = Object.entries(endToEnd(headers)).filter(([name]) => !SAID_HERE.test(name));
  return {
    ...Object.fromEntries(own),
    'x-forwarded-for': asker.address,
    'x-instance-id': asker.deviceId,
    'x-tenant-id': asker.projectId,
    'x-instance-id-signature': createHmac('sha256', secret).update(asker.deviceId).digest('hex'),
  };
}

function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return endToEnd(headers);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((one) => one.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

/** Fails once a body exceeds the limit. */
class LimitedBody extends Transform {
  #bytes = 0;
  isTooLong = false;

  constructor(private readonly limit: number) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.limit) {
      done(null, chunk);
      return;
    }
    this.isTooLong = true;
    done(new Error('the body is too long'));
  }
}

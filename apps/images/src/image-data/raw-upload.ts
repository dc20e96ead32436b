/** Passes bodies of any size through Fastify as raw streams, on upload routes only. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isHeldBack } from '@cumulet/common/http/unread-bodies';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { UploadSizeMismatchError } from '../images/image.errors.js';
import type { UploadBody } from './upload.service.js';

const OCTET_STREAM = 'application/octet-stream';

/** Limits on reading a refused upload, which lets the client see the answer. */
const DISCARD_LIMITS = { bytes: 64 * 1024 * 1024, milliseconds: 5_000, silence: 1_000 };

declare module 'fastify' {
  interface FastifyRequest {
    uploadMediaType?: string | undefined;
  }
}

@Injectable()
export class RawUpload implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(OCTET_STREAM, (request, payload, done) => {
      if (isUpload(request)) done(null, payload);
      // Some clients send this type on requests without a body.
      else if (hasNoBody(request)) done(null, undefined);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    });
    fastify.addHook('onRequest', (request, _reply, done) => {
      // The body is never parsed: the caller is authorised first, then the type is checked.
      if (isUpload(request)) {
        request.uploadMediaType = request.raw.headers['content-type'];
        request.raw.headers['content-type'] = OCTET_STREAM;
      }
      done();
    });
    fastify.addHook('onSend', async (request, _reply, payload) => {
      // Closing the connection during an upload would lose the answer.
      if (isUpload(request) && hasMore(request.raw)) await discardBody(request.raw);
      return payload;
    });
  }
}

/** @throws DomainError, InvalidInputError or UploadSizeMismatchError for its headers */
export function uploadBodyOf(request: FastifyRequest): UploadBody {
  const type = request.uploadMediaType;
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== OCTET_STREAM) {
    const given = type === undefined ? 'none is given' : `'${type}' is not`;
    throw new DomainError(
      'unsupported-media-type',
      `Content-Type must be application/octet-stream; ${given}.`,
    );
  }
  const sent = sizeIn(request, 'content-length');
  const meant = sizeIn(request, 'x-openstack-image-size');
  if (sent !== undefined && meant !== undefined && sent !== meant) {
    throw new UploadSizeMismatchError(meant, sent);
  }
  return { data: request.raw, announcedSize: sent ?? meant };
}

function sizeIn({ headers }: FastifyRequest, name: string): number | undefined {
  const text = headers[name];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidInputError(
    `Header ${name} must be a number of bytes; '${String(text)}' is not.`,
  );
}

function isUpload({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.bodyLimits?.isStream === true;
}

function hasNoBody({ headers }: FastifyRequest): boolean {
  return (
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? '0') === 0
  );
}

/** Whether more is coming, from a client that does not wait for `100 Continue`. */
function hasMore(body: IncomingMessage): boolean {
  return !body.complete && !isHeldBack(body);
}

async function discardBody(body: Readable): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = (): void => {
      clearTimeout(timeout);
      clearTimeout(silence);
      body.off('data', count).off('end', end).off('close', end).pause();
      resolve();
    };
    const timeout = setTimeout(end, DISCARD_LIMITS.milliseconds);
    const silence = setTimeout(end, DISCARD_LIMITS.silence);
    const count = (chunk: Buffer): void => {
      silence.refresh();
      bytes += chunk.length;
      if (bytes > DISCARD_LIMITS.bytes) end();
    };
    body.on('data', count).on('end', end).on('close', end);
    if (body.destroyed || body.readableEnded) end();
    else body.resume();
  });
}

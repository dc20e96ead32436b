/**
 * How an upload's body gets past Fastify: as the raw stream, whatever its size, and only on the
 * routes that take it.
 */
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

/**
 * How much of a refused upload is read and discarded, so that its client gets to see the answer.
 */
const DISCARDED = { bytes: 64 * 1024 * 1024, milliseconds: 5_000, silence: 1_000 };

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type that an upload came with. */
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
      // Some clients name this type on requests that have no body.
      else if (hasNoBody(request)) done(null, undefined);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    });
    fastify.addHook('onRequest', (request, _reply, done) => {
      // It is not parsed, whatever its type: the caller is checked first, then the type.
      if (isUpload(request)) {
        request.uploadMediaType = request.raw.headers['content-type'];
        request.raw.headers['content-type'] = OCTET_STREAM;
      }
      done();
    });
    fastify.addHook('onSend', async (request, _reply, payload) => {
      // Closing the connection in the middle of an upload would lose the answer.
      if (isUpload(request) && isComing(request.raw)) await readAway(request.raw);
      return payload;
    });
  }
}

/**
 * The body of an upload, and the length that it announces.
 * @throws UploadMediaTypeError, InvalidInputError or UploadSizeMismatchError for its headers
 */
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

/** Whether more of a body is coming, from a client that does not wait to be asked for it. */
function isComing(body: IncomingMessage): boolean {
  return !body.complete && !isHeldBack(body);
}

/** Reads an unwanted body to its end, within limits. */
async function readAway(body: Readable): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = (): void => {
      clearTimeout(timeout);
      clearTimeout(silence);
      body.off('data', count).off('end', end).off('close', end).pause();
      resolve();
    };
    const timeout = setTimeout(end, DISCARDED.milliseconds);
    const silence = setTimeout(end, DISCARDED.silence);
    const count = (chunk: Buffer): void => {
      silence.refresh();
      bytes += chunk.length;
      if (bytes > DISCARDED.bytes) end();
    };
    body.on('data', count).on('end', end).on('close', end);
    if (body.destroyed || body.readableEnded) end();
    else body.resume();
  });
}

/**
 * How a change to an image gets past Fastify: JSON under two media types of its own, and only on
 * the route that takes it. That route refuses any other type, after the guard.
 */
import { addJsonParser } from '@cumulet/common/http/body-parsers';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changesOf, isPatchMediaType, PATCH_MEDIA_TYPES, type Change } from './patch-request.js';

/** Stands in for a refused type: its body is read and discarded. */
const REFUSED = 'application/x-refused-patch';

declare module 'fastify' {
  interface FastifyRequest {
    /** The media type of a change to an image; empty if there was none. */
    patchMediaType?: string;
  }
}

@Injectable()
export class PatchBody implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    for (const type of PATCH_MEDIA_TYPES) addJsonParser(fastify, type);
    fastify.addContentTypeParser(REFUSED, { parseAs: 'buffer' }, (_request, _body, done) =>
      done(null, undefined),
    );
    fastify.addHook('onRequest', (request, reply, done) => {
      if (isPatch(request)) {
        const { headers } = request.raw;
        const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
        request.patchMediaType = type;
        if (!isPatchMediaType(type)) {
          headers['content-type'] = REFUSED;
          void reply.header('Accept-Patch', PATCH_MEDIA_TYPES.join(', '));
        }
      }
      done();
    });
  }
}

/** @throws what `changesOf` throws */
export function patchOf(request: FastifyRequest): Change[] {
  return changesOf(request.patchMediaType ?? '', request.body);
}

function isPatch({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'PATCH' && routeOptions.url === '/v2/images/:image_id';
}

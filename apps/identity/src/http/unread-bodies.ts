/**
 * Operations that are not offered answer so whatever they are sent: some of them are sent forms or
 * XML, which no other operation takes.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { UNSUPPORTED_OPERATIONS } from './unsupported-operations.js';

/** Stands in for whatever type such a body has: it is read away. */
const UNREAD = 'application/x-unread';

@Injectable()
export class UnreadBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const routes = new Set(
      UNSUPPORTED_OPERATIONS.map(({ method, path }) => {
        return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      }),
    );
    fastify.addContentTypeParser(UNREAD, { parseAs: 'buffer' }, (_request, _body, done) =>
      done(null, undefined),
    );
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (routes.has(`${request.method} ${request.routeOptions.url}`))
        request.raw.headers['content-type'] = UNREAD;
      done();
    });
  }
}

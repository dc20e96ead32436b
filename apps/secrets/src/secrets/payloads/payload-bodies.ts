/** Lets the payload of a secret be a request's body, on the one route that takes it. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { errorCodes, type FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is bytes, or a text. */
    takesPayload?: boolean;
  }
}

@Injectable()
export class PayloadBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const types = ['text/plain', 'application/octet-stream'];
    fastify.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
      // Clients name a type also on requests that have no body.
      if (request.routeOptions.config.takesPayload) done(null, body);
      else if (body.length === 0) done(null, undefined);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    });
  }
}

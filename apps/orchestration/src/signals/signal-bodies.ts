/**
 * Bodies of signals, which guests send with any program: `curl -X PUT -H 'Content-Type:'`. They are
 * parsed as JSON regardless of the content type; other routes require JSON's.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { jsonParser } from '@cumulet/common/http/body-limits';
import { errorCodes, type FastifyInstance } from 'fastify';
import { EXACT_JSON } from '../json/exact-json.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is read as text, regardless of its type. */
    takesAnyType?: boolean;
  }
}

@Injectable()
export class SignalBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // cfn-signal sends an empty type, which is treated as none.
    fastify.addHook('onRequest', ({ headers }, _reply, done) => {
      if (headers['content-type'] === '') delete headers['content-type'];
      done();
    });
    const parse = jsonParser(fastify, EXACT_JSON);
    fastify.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
      // Clients send a content type even without a body.
      if (body.length === 0) done(null, undefined);
      else if (request.routeOptions.config.takesAnyType === true)
        parse(request, body as string, done);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    });
  }
}

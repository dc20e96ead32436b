/**
 * Removes the Content-Type of requests without a body: magnumclient sends
 * `application/octet-stream` with every DELETE and with the PATCH that rotates keys.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Feature } from '@cumulet/common/service/feature';

@Injectable()
class EmptyBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', ({ headers }, _reply, done) => {
      const isEmpty =
        headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
      if (isEmpty) delete headers['content-type'];
      done();
    });
  }
}

@Feature({ providers: [EmptyBodies] })
export class EmptyBodiesModule {}

/** Treats a body without a media type as JSON, as Neutron does, which ignores media types. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Feature } from '@cumulet/common/service/feature';

@Injectable()
export class UntypedBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', ({ raw }, _reply, done) => {
      raw.headers['content-type'] ??= 'application/json';
      done();
    });
  }
}

@Feature({ providers: [UntypedBodies] })
export class UntypedBodiesModule {}

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the token guard; on a public route it has no user. */
    cumuletContext?: RequestContext;
  }
}

/** The request's context, as a controller's first parameter. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  const context = host.switchToHttp().getRequest<FastifyRequest>().cumuletContext;
  if (!context) throw new Error('the request has not passed the token guard');
  return context;
});

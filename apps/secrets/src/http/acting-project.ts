/**
 * The project that a sister service acts for, in the header by which Barbican's clients name a
 * project where no token does. A service is then served as that project is, and finds nothing of
 * others but what an ACL gives to it: so no request that a user makes of a service can have it read
 * another project's secrets. A user's project is that of its token, whatever the header says.
 */
import { inProject } from '@cumulet/common/auth/project-access';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const HEADER = 'x-project-id';

export class ActingProject implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const { cumuletContext: ctx, headers } = request;
    const named = headers[HEADER];
    if (ctx?.isService && !ctx.isAdmin && typeof named === 'string' && named !== '')
      request.cumuletContext = inProject(ctx, named, HEADER);
    return next.handle();
  }
}

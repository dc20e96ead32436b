/**
 * The project that a sister service acts for, from the header by which Barbican's clients name a
 * project. The service has the access of that project, besides the ACLs that name it, so that no user
 * can make it read secrets of another project. A user's project is that of its token.
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

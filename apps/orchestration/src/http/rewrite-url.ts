/**
 * Accepts paths with and without a prefix: `/stacks` is `/v1/{project_id}/stacks`. The project of
 * the path must be the token's unless the caller is an administrator; otherwise the answer is Heat's
 * 403.
 * Public source: heat, `api/openstack/v1/util.py`.
 */
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

/** `/v1/{project_id}/stacks`; `/v1` alone is the version document. */
const PREFIX = /^\/v1\/([^/?]+)(?=\/[^/?])/;

/** The project that a request's path named. */
const projects = new WeakMap<object, string>();

export function rewriteOrchestrationUrl(request: RewrittenRequest): string {
  const { url = '/' } = request;
  const match = PREFIX.exec(url);
  if (!match) return url;
  projects.set(request, match[1] ?? '');
  return url.slice(match[0].length);
}

/** Refuses paths of other projects, once the caller is known. */
export class ProjectOfPath implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const { raw, cumuletContext: ctx } = host.switchToHttp().getRequest<FastifyRequest>();
    const named = projects.get(raw);
    if (named !== undefined && ctx?.fields.projectId !== undefined) checkProject(ctx, named);
    return next.handle();
  }
}

function checkProject(ctx: RequestContext, named: string): void {
  if (actsAcrossProjects(ctx) || sameId(named, ctx.projectId)) return;
  throw new ForbiddenError(
    `You are not authorized to use the paths of project '${named}': the token is one of '${ctx.projectId}'.`,
  );
}

function sameId(one: string, other: string): boolean {
  return one.replaceAll('-', '').toLowerCase() === other.replaceAll('-', '').toLowerCase();
}

/**
 * Operations that came with a microversion, or that a later one withdrew: outside of these they do
 * not exist. Public source: Nova, "REST API Version History"; nova, `api/openstack/wsgi.py`.
 */
import {
  applyDecorators,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { versionOf } from './microversions.js';

/** The first minor microversion that has the operation, and the last: 26 for 2.26. */
export interface VersionSpan {
  readonly since?: number;
  readonly until?: number;
}

export class OperationOfOtherVersionError extends DomainError {
  constructor(version: string) {
    super('not-found', `API version ${version} is not supported on this method.`);
  }
}

/** @throws OperationOfOtherVersionError where the request's microversion does not have it */
export function requireVersion(ctx: RequestContext, span: VersionSpan): void {
  const version = versionOf(ctx);
  const { since = 1, until = Infinity } = span;
  if (version.minor < since || version.minor > until)
    throw new OperationOfOtherVersionError(version.toString());
}

interface Request {
  readonly cumuletContext: RequestContext;
}

class VersionGuard implements CanActivate {
  constructor(private readonly span: VersionSpan) {}

  /** @throws OperationOfOtherVersionError */
  canActivate(host: ExecutionContext): true {
    // The token guard, which comes first, has made it.
    const { cumuletContext: ctx } = host.switchToHttp().getRequest<Request>();
    requireVersion(ctx, this.span);
    return true;
  }
}

/** For a controller, or one of its handlers. It needs 404 among the errors of `@Operation`. */
export function OfVersions(span: VersionSpan): ClassDecorator & MethodDecorator {
  const { since, until } = span;
  return applyDecorators(
    UseGuards(new VersionGuard(span)),
    ApiExtension('x-openstack', {
      ...(since === undefined ? {} : { 'min-ver': `2.${since}` }),
      ...(until === undefined ? {} : { 'max-ver': `2.${until}` }),
    }),
  );
}

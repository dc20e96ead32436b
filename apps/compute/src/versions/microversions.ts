import {
  applyDecorators,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  InvalidInputError,
  RouteNotFoundError,
  notFound,
} from '@cumulet/common/errors/domain-error';
import { Microversion, type MicroversionRange } from '@cumulet/common/context/microversion';

/**
 * The microversions that compute supports. Views and checks use `atLeast(n)`.
 * Public source: Nova, "REST API Version History".
 */
export const COMPUTE_VERSIONS: MicroversionRange = {
  service: 'compute',
  legacyHeader: 'X-OpenStack-Nova-API-Version',
  min: new Microversion(2, 1),
  max: new Microversion(2, 104),
};

export function versionOf(ctx: RequestContext): Microversion {
  return ctx.fields.microversion ?? COMPUTE_VERSIONS.min;
}

/** @param what came with 2.`minor`. @throws InvalidInputError for an earlier microversion */
export function refuseBefore(ctx: RequestContext, minor: number, what: string): void {
  const version = versionOf(ctx);
  if (version.atLeast(minor)) return;
  throw new InvalidInputError(
    `Invalid input: ${what} came with microversion 2.${minor}; the request is for ${version.toString()}.`,
  );
}

/** @param what ended with 2.`minor`. @throws InvalidInputError for a later microversion */
export function refuseAfter(ctx: RequestContext, minor: number, what: string): void {
  const version = versionOf(ctx);
  if (!version.atLeast(minor + 1)) return;
  throw new InvalidInputError(
    `Invalid input: ${what} ended with microversion 2.${minor}; the request is for ${version.toString()}.`,
  );
}

/** For what ended with 2.`minor`, and is absent since. @throws RouteNotFoundError */
export function absentAfter(ctx: RequestContext, minor: number, method = 'GET'): void {
  if (!versionOf(ctx).atLeast(minor + 1)) return;
  throw new RouteNotFoundError(method, (ctx.fields.requestUrl ?? '').split('?', 1)[0] ?? '');
}

/**
 * Operations that came with a microversion, or that a later one withdrew: outside of these they do
 * not exist. The first minor microversion that has the operation, and the last: 26 for 2.26. Public
 * source: Nova, "REST API Version History"; nova, `api/openstack/wsgi.py`.
 */
export interface VersionSpan {
  readonly since?: number;
  readonly until?: number;
}

export class OperationOfOtherVersionError extends notFound(
  (version: string) => `API version ${version} is not supported on this method.`,
) {}

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

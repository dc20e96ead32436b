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

/** Compute's microversions (Nova, "REST API Version History"). Checks use `atLeast(n)`. */
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

/** For routes that ended with 2.`minor`. @throws RouteNotFoundError */
export function absentAfter(ctx: RequestContext, minor: number, method = 'GET'): void {
  if (!versionOf(ctx).atLeast(minor + 1)) return;
  throw new RouteNotFoundError(method, (ctx.fields.requestUrl ?? '').split('?', 1)[0] ?? '');
}

/**
 * The first and the last minor microversion with an operation, which does not exist in others: 26
 * for 2.26. Public source: Nova, "REST API Version History"; nova, `api/openstack/wsgi.py`.
 */
export interface VersionSpan {
  readonly since?: number;
  readonly until?: number;
}

export class OperationOfOtherVersionError extends notFound(
  (version: string) => `API version ${version} is not supported on this method.`,
) {}

/** @throws OperationOfOtherVersionError if the request's microversion does not have it */
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
    // Made by the token guard, which comes first.
    const { cumuletContext: ctx } = host.switchToHttp().getRequest<Request>();
    requireVersion(ctx, this.span);
    return true;
  }
}

/** For a controller or a handler. `@Operation` must list 404 among its errors. */
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

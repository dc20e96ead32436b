import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, RouteNotFoundError } from '@cumulet/common/errors/domain-error';
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

import type { RequestContext } from '@cumulet/common/context/request-context';
import { Microversion, type MicroversionRange } from '@cumulet/common/http/microversion';

/**
 * The microversions that compute supports. Views and checks use `atLeast(n)`.
 * Public source: Nova, "REST API Version History".
 */
export const COMPUTE_VERSIONS: MicroversionRange = {
  service: 'compute',
  legacyHeader: 'X-OpenStack-Nova-API-Version',
  min: new Microversion(2, 1),
  max: new Microversion(2, 96),
};

export function versionOf(ctx: RequestContext): Microversion {
  return ctx.fields.microversion ?? COMPUTE_VERSIONS.min;
}

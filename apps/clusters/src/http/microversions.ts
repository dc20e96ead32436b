import type { RequestContext } from '@cumulet/common/context/request-context';
import { errorOf } from '@cumulet/common/errors/domain-error';
import { Microversion, type MicroversionRange } from '@cumulet/common/context/microversion';

/** Public source: magnum, "REST API Version History"; `api/controllers/versions.py`. */
export const CLUSTERS_VERSIONS: MicroversionRange = {
  service: 'container-infra',
  aliases: ['container-infrastructure', 'container-infrastructure-management'],
  isAnnounced: true,
  min: new Microversion(1, 1),
  max: new Microversion(1, 14),
};

/** The minor versions that introduced operations and options. */
export const SINCE = {
  rollback: 3,
  resize: 7,
  upgrade: 8,
  nodeGroups: 9,
  noWorkers: 10,
  credentials: 12,
} as const;

export function versionOf(ctx: RequestContext): Microversion {
  return ctx.fields.microversion ?? CLUSTERS_VERSIONS.min;
}

export class MicroversionTooOldError extends errorOf(
  'not-acceptable',
  (what: string, minor: number, asked: Microversion) =>
    `${what} needs the API version 1.${minor} or later; the request asked for ${asked.toString()}.`,
) {}

/** @throws MicroversionTooOldError for a microversion before 1.`minor` */
export function needsVersion(ctx: RequestContext, minor: number, what: string): void {
  const version = versionOf(ctx);
  if (!version.atLeast(minor)) throw new MicroversionTooOldError(what, minor, version);
}

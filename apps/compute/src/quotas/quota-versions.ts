/** Which quotas which microversion has. Public source: Nova, "REST API Version History". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { versionOf } from '../versions/microversions.js';
import { COMPUTE_QUOTA_NAMES, type ComputeLimits, type ComputeQuota } from './compute-quotas.js';

/** By quota, the last minor microversion that has it: 35 for 2.35. */
export type LastVersions = Readonly<Partial<Record<ComputeQuota, number>>>;

const FILES: LastVersions = {
  injected_files: 56,
  injected_file_content_bytes: 56,
  injected_file_path_bytes: 56,
};

export const LAST_IN_SETS: LastVersions = {
  ...FILES,
  fixed_ips: 35,
  floating_ips: 35,
  security_groups: 35,
  security_group_rules: 35,
};

export const LAST_IN_CLASSES: LastVersions = {
  ...FILES,
  fixed_ips: 49,
  floating_ips: 49,
  security_groups: 49,
  security_group_rules: 49,
};

/** What classes show only since a microversion; they took it before. */
export const FIRST_SHOWN_IN_CLASSES: LastVersions = { server_groups: 50, server_group_members: 50 };

/**
 * The limits that a body gives.
 * @param under the body's outer key, for the message
 * @throws InvalidInputError naming the first that the request's microversion no longer has
 */
export function limitsOf(
  ctx: RequestContext,
  under: string,
  body: Readonly<Partial<Record<ComputeQuota, unknown>>>,
  last: LastVersions,
): Partial<ComputeLimits> {
  const version = versionOf(ctx);
  const given = COMPUTE_QUOTA_NAMES.filter((name) => body[name] !== undefined);
  for (const name of given) {
    const end = last[name];
    if (end === undefined || !version.atLeast(end + 1)) continue;
    throw new InvalidInputError(
      `Invalid input: ${under}.${name} ended with microversion 2.${end}; the request is for ${version.toString()}.`,
    );
  }
  return Object.fromEntries(given.map((name) => [name, body[name]]));
}

import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Microversion } from '@cumulet/common/context/microversion';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import type { CreateServerDto } from './server.dto.js';

/** Before its microversion, a property is unknown. */
const SINCE: Readonly<Record<string, number>> = {
  description: 19,
  tags: 52,
  hostname: 90,
  pinned_availability_zone: 104,
};

/** A host name without a domain. */
const LABEL = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]$/;

/** The last microversion of properties that a later one removed. */
const UNTIL: Readonly<
  Partial<Record<keyof CreateServerDto, { version: number; instead: string }>>
> = { personality: { version: 56, instead: 'user_data' } };

/**
 * Checks properties that a create, an update and a rebuild share.
 * @param name of the object in the body: `server`
 * @throws InvalidInputError naming a property that is too new
 */
export function refuseTooNew(
  ctx: RequestContext,
  dto: { readonly hostname?: string },
  name = 'server',
): void {
  const given = dto as Readonly<Record<string, unknown>>;
  for (const [property, since] of Object.entries(SINCE)) {
    if (given[property] !== undefined) refuseBefore(ctx, since, `${name}.${property}`);
  }
  const { hostname } = dto;
  if (hostname === undefined || versionOf(ctx).atLeast(94) || LABEL.test(hostname)) return;
  throw new InvalidInputError(
    `Invalid input: ${name}.hostname must be a host name of 2 to 63 letters, digits and hyphens before microversion 2.94.`,
  );
}

/** @throws InvalidInputError for a property of another version, or a missing `networks` */
export function checkVersioned(ctx: RequestContext, dto: CreateServerDto): void {
  const version = versionOf(ctx);
  refuseTooNew(ctx, dto);
  for (const [property, { version: last, instead }] of Object.entries(UNTIL)) {
    if (dto[property as keyof CreateServerDto] !== undefined && version.atLeast(last + 1)) {
      throw new InvalidInputError(
        `Invalid input: server.${property} ended with microversion 2.${last}; the request is for ${version.toString()}. Use server.${instead}.`,
      );
    }
  }
  if (version.atLeast(37) && dto.networks === undefined) {
    throw new InvalidInputError(
      "Invalid input: server.networks is required since microversion 2.37: 'none', 'auto' or a list.",
    );
  }
  for (const { tag } of Array.isArray(dto.networks) ? dto.networks : [])
    if (tag !== undefined && !takesNicTags(version)) refuseBefore(ctx, 42, 'server.networks.tag');
  if (typeof dto.networks === 'string') refuseBefore(ctx, 37, `server.networks '${dto.networks}'`);
}

/** Nova took them in 2.32, lost them by mistake in 2.37, and takes them again since 2.42. */
function takesNicTags(version: Microversion): boolean {
  return version.atLeast(42) || (version.atLeast(32) && !version.atLeast(37));
}

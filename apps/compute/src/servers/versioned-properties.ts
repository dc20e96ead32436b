import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import type { CreateServerDto } from './server.dto.js';

/** Properties of a create that a microversion introduced: before it they are unknown. */
const SINCE: Readonly<Partial<Record<keyof CreateServerDto, number>>> = {
  description: 19,
  tags: 52,
  hostname: 90,
};

/** The last microversion of a property that a later one removed. */
const UNTIL: Readonly<
  Partial<Record<keyof CreateServerDto, { version: number; instead: string }>>
> = { personality: { version: 56, instead: 'user_data' } };

/** @throws InvalidInputError naming the property that is too new or too old, or a missing `networks` */
export function checkVersioned(ctx: RequestContext, dto: CreateServerDto): void {
  const version = versionOf(ctx);
  for (const [property, since] of Object.entries(SINCE)) {
    if (dto[property as keyof CreateServerDto] !== undefined)
      refuseBefore(ctx, since, `server.${property}`);
  }
  for (const [property, { version: last, instead }] of Object.entries(UNTIL)) {
    if (dto[property as keyof CreateServerDto] !== undefined && version.atLeast(last + 1)) {
      throw new InvalidInputError(
        `Invalid input: server.${property} ended with microversion 2.${last}; the request is for ${version.toString()}. Use server.${instead}.`,
      );
    }
  }
  if (version.atLeast(37) && dto.networks === undefined) {
    throw new InvalidInputError(
      "Invalid input: server.networks is required since microversion 2.37: 'none' or 'auto'.",
    );
  }
  if (typeof dto.networks === 'string') refuseBefore(ctx, 37, `server.networks '${dto.networks}'`);
}

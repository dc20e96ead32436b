/** Always holds: a server's tags are a set in alphabetical order, as in Nova's database. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isStorable } from '@cumulet/common/database/storable';
import { TAG } from '../../http/fields.js';
import { ServerAttributes } from '../server-attributes.js';
import { ServerTagNotFoundError } from '../server.errors.js';
import { MAX_TAGS } from './server-tags.dto.js';

@Injectable()
export class ServerTagsService {
  constructor(private readonly attributes: ServerAttributes) {}

  async replace(ctx: RequestContext, id: string, tags: readonly string[]): Promise<string[]> {
    return this.#change(ctx, id, 'update tags', () => tagsOf(tags));
  }

  async clear(ctx: RequestContext, id: string): Promise<void> {
    await this.#change(ctx, id, 'delete tags', () => []);
  }

  /** @returns whether it is new. @throws InvalidInputError for an invalid tag, or one too many */
  async add(ctx: RequestContext, id: string, tag: string): Promise<boolean> {
    let isNew = false;
    await this.#change(ctx, id, 'update tag', (now) => {
      checkTag(tag);
      isNew = !now.includes(tag);
      if (now.length >= MAX_TAGS)
        throw new InvalidInputError(`The number of tags exceeded the per-server limit ${MAX_TAGS}`);
      return tagsOf([...now, tag]);
    });
    return isNew;
  }

  /** @throws ServerTagNotFoundError */
  async remove(ctx: RequestContext, id: string, tag: string): Promise<void> {
    await this.#change(ctx, id, 'delete tag', (now) => {
      if (!now.includes(tag)) throw new ServerTagNotFoundError(id, tag);
      return now.filter((one) => one !== tag);
    });
  }

  async #change(
    ctx: RequestContext,
    id: string,
    action: string,
    change: (now: readonly string[]) => string[],
  ): Promise<string[]> {
    const options = { action, settled: false };
    const { tags } = await this.attributes.change(ctx, id, options, ({ tags: now }) => ({
      tags: change(now),
    }));
    return tags;
  }
}

/** Each once, in alphabetical order. */
export function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags)].sort();
}

function checkTag(tag: string): void {
  if (TAG.pattern.test(tag) && tag.length <= TAG.max && isStorable(tag)) return;
  throw new InvalidInputError(
    `Tag '${tag.slice(0, 255)}' is invalid. It must be a non empty string without characters '/' and ',', of at most ${TAG.max} characters.`,
  );
}

import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import { ImageChangesRepository } from '../image-changes.repository.js';
import { MAX_TAGS } from '../image.attributes.js';
import type { ImageId } from '../image.entity.js';
import { TagNotFoundError, TooManyTagsError } from '../image.errors.js';
import { ImagesService } from '../images.service.js';

@Injectable()
export class TagsService {
  constructor(
    private readonly images: ImagesService,
    private readonly changes: ImageChangesRepository,
  ) {}

  /** Does nothing where the image has the tag. @throws ImageNotFoundError, NotOwnerError, TooManyTagsError */
  async add(ctx: RequestContext, id: ImageId, tag: string): Promise<void> {
    await this.images.showOwn(ctx, id, 'tag');
    if (await this.changes.addTag(ctx, id, tag)) return;
    await this.images.show(ctx, id);
    throw new TooManyTagsError(MAX_TAGS);
  }

  /** @throws ImageNotFoundError, NotOwnerError or TagNotFoundError */
  async remove(ctx: RequestContext, id: ImageId, tag: string): Promise<void> {
    await this.images.showOwn(ctx, id, 'untag');
    if (!(await this.changes.removeTag(ctx, id, tag))) throw new TagNotFoundError(tag, id);
  }
}

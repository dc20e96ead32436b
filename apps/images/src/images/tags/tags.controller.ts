import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Controller, Delete, Injectable, Param, Put, type PipeTransform } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { checkAttribute } from '../attribute-check.js';
import type { ImageId } from '../image.entity.js';
import { TooManyTagsError } from '../image.errors.js';
import { ImageParam } from '../image-id.pipe.js';
import { ImageRepository } from '../image.repository.js';
import { ImagesService } from '../images.service.js';

/** The tag in a path: one that an image may have. */
@Injectable()
class TagPipe implements PipeTransform<string, string> {
  /** @throws InvalidInputError */
  transform(tag: string): string {
    checkAttribute('tags', [tag]);
    return tag;
  }
}

/** Public source: Image API reference, "Image tags". */
@ApiTags('image tags')
@Controller('v2/images/:image_id/tags/:tag')
export class TagsController {
  constructor(
    private readonly images: ImagesService,
    private readonly repository: ImageRepository,
  ) {}

  /** Does nothing if the image has the tag. */
  @Put()
  @Allow('member')
  @Operation('Add a tag to an image', null)
  async add(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
    @Param('tag', TagPipe) tag: string,
  ): Promise<void> {
    await this.images.showOwn(ctx, id, 'tag');
    if (await this.repository.addTag(ctx, id, tag)) return;
    await this.images.show(ctx, id);
    throw new TooManyTagsError();
  }

  @Delete()
  @Allow('member')
  @Operation('Remove a tag from an image', null)
  async remove(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
    @Param('tag', TagPipe) tag: string,
  ): Promise<void> {
    await this.images.showOwn(ctx, id, 'untag');
    if (await this.repository.removeTag(ctx, id, tag)) return;
    throw new DomainError('not-found', `Image ${id} has no tag '${tag}'.`);
  }
}

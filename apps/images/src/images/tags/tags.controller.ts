import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImageId } from '../image.entity.js';
import { ImageIdPipe } from '../image-id.pipe.js';
import { TagPipe } from './tag.pipe.js';
import { TagsService } from './tags.service.js';

/** Public source: Image API reference, "Image tags". */
@ApiTags('image tags')
@Controller('v2/images/:image_id/tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Put(':tag')
  @HttpCode(204)
  @Allow('member')
  async add(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
    @Param('tag', TagPipe) tag: string,
  ): Promise<void> {
    await this.tags.add(ctx, id, tag);
  }

  @Delete(':tag')
  @HttpCode(204)
  @Allow('member')
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
    @Param('tag', TagPipe) tag: string,
  ): Promise<void> {
    await this.tags.remove(ctx, id, tag);
  }
}

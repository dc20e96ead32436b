import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImageId } from '../image.entity.js';
import { ImageIdPipe } from '../image-id.pipe.js';
import { ImageActionsService } from './image-actions.service.js';

/** Public source: Image API reference, "Deactivate image" and "Reactivate image". */
@ApiTags('images')
@Controller('v2/images/:image_id/actions')
export class ImageActionsController {
  constructor(private readonly actions: ImageActionsService) {}

  @Post('deactivate')
  @HttpCode(204)
  @Allow('member')
  async deactivate(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
  ): Promise<void> {
    await this.actions.deactivate(ctx, id);
  }

  @Post('reactivate')
  @HttpCode(204)
  @Allow('member')
  async reactivate(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
  ): Promise<void> {
    await this.actions.reactivate(ctx, id);
  }
}

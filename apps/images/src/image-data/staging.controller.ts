import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, HttpCode, Param, Put, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { ImageId } from '../images/image.entity.js';
import { ImageIdPipe } from '../images/image-id.pipe.js';
import { uploadBodyOf } from './raw-upload.js';
import { UploadService } from './upload.service.js';

/** Public source: Image API reference, "Stage binary image data". */
@ApiTags('image import')
@Controller('v2/images/:image_id/stage')
export class StagingController {
  constructor(private readonly uploads: UploadService) {}

  @Put()
  @HttpCode(204)
  @Allow('member')
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  async stage(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.uploads.stage(ctx, id, uploadBodyOf(request));
  }
}

import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Body, Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImageId } from '../images/image.entity.js';
import { ImageIdPipe } from '../images/image-id.pipe.js';
import { ImportDto } from './import.dto.js';
import { ImportsService } from './imports.service.js';

/** Public source: Image API reference, "Import an image". */
@ApiTags('image import')
@Controller('v2/images/:image_id/import')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Post()
  @HttpCode(202)
  @Allow('member')
  async start(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
    @Headers('x-image-meta-store') store: string | undefined,
    @Body() body: ImportDto,
  ): Promise<void> {
    await this.imports.start(ctx, id, body, store);
  }
}

import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import type { ImageId } from '../images/image.entity.js';
import { ImageParam } from '../images/image-id.pipe.js';
import { ConversionFiles } from './conversion/conversion-files.js';
import { ImageConverter } from './conversion/image-converter.js';
import { ImportConversion } from './conversion/import-conversion.js';
import { ImportData } from './import-data.js';
import { ImportDto } from './import.dto.js';
import { ImportReconciler } from './import.reconciler.js';
import { ImportsService } from './imports.service.js';
import { isPublicAddress } from '@cumulet/common/addresses/public-address';
import { WebDownload } from './web-download/web-download.js';

/** Public source: Image API reference, "Import an image". */
@ApiTags('image import')
@Controller('v2/images/:image_id/import')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Post()
  @Operation('Import an image', null, { status: 202, creates: false, errors: [409, 413] })
  @Allow('member')
  async start(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
    @Headers('x-image-meta-store') store: string | undefined,
    @Body() body: ImportDto,
  ): Promise<void> {
    await this.imports.start(ctx, id, body, store);
  }
}

const CONNECT_SECONDS = 10;
const SPEED_SECONDS = 60;

function conversionFiles({ importFolder }: ImagesConfig): ConversionFiles {
  return new ConversionFiles(importFolder);
}

function webDownload(config: ImagesConfig): WebDownload {
  return new WebDownload({
    ports: config.webDownloadPorts,
    mayConnect: config.webDownloadAllowPrivate ? () => true : isPublicAddress,
    connectSeconds: CONNECT_SECONDS,
    silenceSeconds: config.uploadStallSeconds,
    leastSpeed: { bytesPerSecond: config.webDownloadLeastSpeed, overSeconds: SPEED_SECONDS },
  });
}

@Feature({
  controllers: [ImportsController],
  providers: [
    { provide: ConversionFiles, inject: [CONFIG], useFactory: conversionFiles },
    ImageConverter,
    { provide: WebDownload, inject: [CONFIG], useFactory: webDownload },
    ImportConversion,
    ImportData,
    ImportReconciler,
    ImportsService,
  ],
})
export class ImportsModule {}

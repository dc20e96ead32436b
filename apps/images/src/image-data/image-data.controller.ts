import { Readable } from 'node:stream';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Controller, Get, Headers, HttpCode, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Feature } from '@cumulet/common/service/feature';
import type { ImageId } from '../images/image.entity.js';
import { RangeNotSatisfiableError } from '../images/image.errors.js';
import { ImageIdPipe } from '../images/image-id.pipe.js';
import { StoresService } from '../stores/stores.service.js';
import { byteRangeOf, lengthHeaders } from './byte-range.js';
import { DataReceiver } from './data-receiver.js';
import { DownloadService, type ImageWithData } from './download.service.js';
import { entityTagOf, isNamedBy, isUnchanged } from './entity-tag.js';
import { ExpiredStagingSweep } from './expired-staging.sweep.js';
import { OrphanedData } from './orphaned-data.js';
import { OrphanedDataSweep } from './orphaned-data.sweep.js';
import { PendingDeleteRepository } from './pending-delete.repository.js';
import { PendingDeletes } from './pending-deletes.js';
import { uploadBodyOf, RawUpload } from './raw-upload.js';
import { StagedDataRepository } from './staged-data.repository.js';
import { StagingController } from './staging.controller.js';
import { StalledUploadsSweep } from './stalled-uploads.sweep.js';
import { UploadOwner } from './upload-owner.js';
import { UploadRecords } from './upload-records.js';
import { UploadRepository } from './upload.repository.js';
import { UploadService } from './upload.service.js';

/** Public source: Image API reference, "Image data". */
@ApiTags('image data')
@Controller('v2/images/:image_id/file')
export class ImageDataController {
  constructor(
    private readonly uploads: UploadService,
    private readonly downloads: DownloadService,
    private readonly stores: StoresService,
  ) {}

  @Put()
  @HttpCode(204)
  @Allow('member')
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  async upload(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
    @Req() request: FastifyRequest,
    @Headers('x-image-meta-store') store: string | undefined,
  ): Promise<void> {
    this.stores.requireKnown(store);
    await this.uploads.upload(ctx, id, uploadBodyOf(request));
  }

  @Get()
  @Allow('reader')
  @ApiProduces('application/octet-stream')
  @ApiQuery({ name: 'prefer', type: String, required: false, description: 'Ids of stores.' })
  async download(
    @Ctx() ctx: RequestContext,
    @Param('image_id', ImageIdPipe) id: ImageId,
    @Query('prefer') stores: string | readonly string[] = '',
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const image = await this.downloads.find(ctx, id);
    this.stores.requireAllKnown([stores].flat().join(','));
    if (!image) {
      await reply.status(204).send();
      return;
    }
    const entityTag = entityTagOf(image);
    if (isNamedBy(request.headers['if-none-match'], entityTag)) {
      await reply.status(304).header('ETag', entityTag).send();
      return;
    }
    const range = rangeOf(request.headers, image, reply);
    // A stream even where nothing follows the headers: Fastify then leaves their length alone.
    const data =
      request.method === 'HEAD' ? Readable.from([]) : await this.downloads.open(ctx, image, range);
    void reply
      .status(range ? 206 : 200)
      .type('application/octet-stream')
      .headers({
        ETag: entityTag,
        'Content-MD5': image.checksum,
        'Accept-Ranges': 'bytes',
        ...lengthHeaders(image.size, range),
      })
      .send(data);
  }
}

/**
 * Undefined for the whole, also where the part is wanted of other data than there is. A range that
 * is refused is answered with the size that there is.
 */
function rangeOf(
  headers: FastifyRequest['headers'],
  image: ImageWithData,
  reply: FastifyReply,
): ReturnType<typeof byteRangeOf> {
  if (!isUnchanged(headers['if-range'], entityTagOf(image))) return undefined;
  try {
    return byteRangeOf(headers.range, image.size);
  } catch (error) {
    if (error instanceof RangeNotSatisfiableError) {
      void reply.header('Content-Range', `bytes */${image.size}`);
    }
    throw error;
  }
}

@Feature({
  controllers: [ImageDataController, StagingController],
  providers: [
    DataReceiver,
    DownloadService,
    ExpiredStagingSweep,
    OrphanedData,
    OrphanedDataSweep,
    PendingDeleteRepository,
    PendingDeletes,
    RawUpload,
    StagedDataRepository,
    StalledUploadsSweep,
    UploadOwner,
    UploadRecords,
    UploadRepository,
    UploadService,
  ],
})
export class ImageDataModule {}

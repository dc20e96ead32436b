import { Readable } from 'node:stream';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { TakesBody } from '@cumulet/common/http/body-limits';
import { Operation } from '@cumulet/common/http/operation';
import { applyDecorators, Controller, Get, Headers, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Feature } from '@cumulet/common/service/feature';
import type { ImageId } from '../images/image.entity.js';
import { RangeNotSatisfiableError } from '../images/image.errors.js';
import { ImageParam } from '../images/image-id.pipe.js';
import { StoresService } from '../stores/stores.service.js';
import {
  byteRangeOf,
  DownloadService,
  entityTagOf,
  type ImageWithData,
  isNamedBy,
  isUnchanged,
  lengthHeaders,
} from './download.service.js';
import { ImageObjects } from './image-objects.js';
import { uploadBodyOf, RawUpload } from './raw-upload.js';
import { UploadOwner } from './upload-lease.js';
import { UploadService } from './upload.service.js';

/** Conflict, deleted meanwhile, too large, unsupported type. */
const UPLOAD_ERRORS = [409, 410, 413, 415];

const OCTETS = 'application/octet-stream';

function TakesData(summary: string, tag: string): MethodDecorator {
  const schema = { type: 'string', format: 'binary' } as const;
  return applyDecorators(
    Operation(summary, null, { errors: UPLOAD_ERRORS }),
    ApiTags(tag),
    Allow('member'),
    // `DataMeter` limits the stream.
    TakesBody({ isStream: true }),
    ApiConsumes(OCTETS),
    ApiBody({ schema }),
  );
}

/** Public source: Image API reference, "Image data", and "Stage binary image data". */
@ApiTags('ImageData')
@Controller('v2/images/:image_id')
export class ImageDataController {
  constructor(
    private readonly uploads: UploadService,
    private readonly downloads: DownloadService,
    private readonly stores: StoresService,
  ) {}

  @Put('file')
  @TakesData("Upload an image's data", 'image data')
  async upload(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
    @Req() request: FastifyRequest,
    @Headers('x-image-meta-store') store: string | undefined,
  ): Promise<void> {
    this.stores.requireKnown(store);
    await this.uploads.upload(ctx, id, uploadBodyOf(request));
  }

  @Put('stage')
  @TakesData("Stage an image's data", 'image import')
  async stage(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.uploads.stage(ctx, id, uploadBodyOf(request));
  }

  @Get('file')
  @Operation("Download an image's data", null, {
    contentType: OCTETS,
    also: { 204: null, 206: null, 304: null },
    errors: [409, 416],
  })
  @ApiTags('image data')
  @Allow('reader')
  @ApiQuery({ name: 'prefer', type: String, required: false, description: 'Ids of stores.' })
  async download(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
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
    // HEAD sends an empty stream too, since Fastify then leaves Content-Length alone.
    const data =
      request.method === 'HEAD' ? Readable.from([]) : await this.downloads.open(ctx, image, range);
    void reply
      .status(range ? 206 : 200)
      .type(OCTETS)
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
 * Undefined selects all of the data, also if If-Range names other data. The answer to a refused
 * range has the current size.
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
  controllers: [ImageDataController],
  providers: [DownloadService, ImageObjects, RawUpload, UploadOwner, UploadService],
})
export class ImageDataModule {}

import { Controller, Delete, Get, Header, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { notFound } from '@cumulet/common/errors/domain-error';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { listedUnder, pageView } from '../http/pages.js';
import { metadataController } from '../servers/metadata/metadata.controller.js';
import { OfVersions } from '../versions/microversions.js';
import {
  ImageSummary,
  imageSummaryView,
  ImageView,
  imageView,
  ListImagesQuery,
} from './image.wire.js';
import { ImagesProxyService } from './images.service.js';
import { UNTIL_36, UNTIL_39 } from './sisters.js';

class ImageMetadataNotFoundError extends notFound('Invalid metadata key') {}

class ImageNotNamedError extends notFound('No image is named.') {}

/** Public source: Nova API reference, "Images (DEPRECATED)". */
@ApiTags('proxies')
@OfVersions(UNTIL_36)
@Controller('images')
export class ImagesController {
  constructor(private readonly images: ImagesProxyService) {}

  @Get()
  @Allow('reader')
  @Operation('List images', listedUnder('images', ImageSummary), { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListImagesQuery): Promise<object> {
    const page = await this.images.page(ctx, query);
    return pageView(ctx, 'images', page, (image) => imageSummaryView(ctx, image));
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List images with details', listedUnder('images', ImageView), { errors: [404] })
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListImagesQuery): Promise<object> {
    const page = await this.images.page(ctx, query);
    return pageView(ctx, 'images', page, (image) => imageView(ctx, image));
  }

  /** Clients send an empty ID, which Nova does not find. */
  @Delete()
  @Allow('member')
  @Operation('Delete an image without an id', null, { status: 404 })
  removeNone(): never {
    throw new ImageNotNamedError();
  }

  @Get(':image_id')
  @Allow('reader')
  @Operation('Show an image', shownUnder('image', ImageView))
  async show(@Ctx() ctx: RequestContext, @Param('image_id') id: string): Promise<object> {
    return { image: imageView(ctx, await this.images.get(ctx, id)) };
  }

  @Delete(':image_id')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete an image', null, { errors: [409] })
  async remove(@Ctx() ctx: RequestContext, @Param('image_id') id: string): Promise<void> {
    await this.images.remove(ctx, id);
  }
}

const ImageMetadata = metadataController('image', ImagesProxyService, ImageMetadataNotFoundError);
// On the class with the handlers: the API description reads no inherited ones.
OfVersions(UNTIL_39)(ImageMetadata);

/** Public source: Nova API reference, "Images (DEPRECATED)", "List Image Metadata". */
@ApiTags('proxies')
@Controller('images/:image_id/metadata')
export class ImageMetadataController extends ImageMetadata {}

import { Body, Controller, Delete, Get, Header, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { listedUnder, pageView, shownUnder } from '../http/pages.js';
import {
  ServerMetadataAnswer,
  ServerMetadataBody,
  ServerMetadataItemAnswer,
  ServerMetadataItemBody,
} from '../servers/metadata/server-metadata.dto.js';
import { OfVersions } from '../versions/microversions.js';
import {
  ImageSummary,
  imageSummaryView,
  ImageView,
  imageView,
  propertiesOf,
  ListImagesQuery,
} from './image.wire.js';
import { ImagesProxyService } from './images.service.js';
import { UNTIL_36, UNTIL_39 } from './sisters.js';

class ImageMetadataNotFoundError extends DomainError {
  constructor() {
    super('not-found', 'Invalid metadata key');
  }
}

class ImageNotNamedError extends DomainError {
  constructor() {
    super('not-found', 'No image is named.');
  }
}

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

  /** Clients send an empty id, which Nova does not find. */
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

/** Public source: Nova API reference, "Images (DEPRECATED)", "List Image Metadata". */
@ApiTags('proxies')
@OfVersions(UNTIL_39)
@Controller('images/:image_id/metadata')
export class ImageMetadataController {
  constructor(private readonly images: ImagesProxyService) {}

  @Get()
  @Allow('reader')
  @Operation('List the metadata of an image', ServerMetadataAnswer)
  async list(@Ctx() ctx: RequestContext, @Param('image_id') id: string): Promise<object> {
    return { metadata: propertiesOf(await this.images.get(ctx, id)) };
  }

  @Post()
  @Allow('member')
  @Operation('Add metadata to an image', ServerMetadataAnswer, {
    status: 200,
    creates: false,
    errors: [409],
  })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('image_id') id: string,
    @Body() { metadata: given }: ServerMetadataBody,
  ): Promise<object> {
    const change = (now: object) => ({ ...now, ...given });
    return { metadata: await this.images.setProperties(ctx, id, change) };
  }

  @Put()
  @Allow('member')
  @Operation('Replace the metadata of an image', ServerMetadataAnswer, { errors: [409] })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('image_id') id: string,
    @Body() { metadata: given }: ServerMetadataBody,
  ): Promise<object> {
    return { metadata: await this.images.setProperties(ctx, id, () => given) };
  }

  @Get(':key')
  @Allow('reader')
  @Operation('Show an item of the metadata of an image', ServerMetadataItemAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('image_id') id: string,
    @Param('key') key: string,
  ): Promise<object> {
    const properties = propertiesOf(await this.images.get(ctx, id));
    if (!Object.hasOwn(properties, key)) throw new ImageMetadataNotFoundError();
    return { meta: { [key]: properties[key] } };
  }

  @Put(':key')
  @Allow('member')
  @Operation('Set an item of the metadata of an image', ServerMetadataItemAnswer, {
    errors: [409],
  })
  async set(
    @Ctx() ctx: RequestContext,
    @Param('image_id') id: string,
    @Param('key') key: string,
    @Body() { meta }: ServerMetadataItemBody,
  ): Promise<object> {
    if (!Object.hasOwn(meta, key)) throw new InvalidInputError('Request body and URI mismatch');
    await this.images.setProperties(ctx, id, (now) => ({ ...now, ...meta }));
    return { meta };
  }

  @Delete(':key')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete an item of the metadata of an image', null, { errors: [409] })
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('image_id') id: string,
    @Param('key') key: string,
  ): Promise<void> {
    await this.images.setProperties(ctx, id, (now) => {
      if (!Object.hasOwn(now, key)) throw new ImageMetadataNotFoundError();
      return Object.fromEntries(Object.entries(now).filter(([name]) => name !== key));
    });
  }
}

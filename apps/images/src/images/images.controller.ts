import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Injectable,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
  type PipeTransform,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { OPERATIONS, PATCH_MEDIA_TYPES, PatchBody, patchOf } from './patch/patch-request.js';
import type { ImagesConfig } from '../config.js';
import { checkAttribute } from './attribute-check.js';
import { ImageParam } from './image-id.pipe.js';
import { ImageQuotas } from './image-quotas.js';
import { ImageWorkRepository } from './image-work.repository.js';
import { IMAGE_ATTRIBUTES, type ImageAttribute } from './image.attributes.js';
import { newImageOf } from './image.dto.js';
import { Image, type ImageId, UsedImageId } from './image.entity.js';
import { TooManyTagsError } from './image.errors.js';
import { imagePageOf, type RawQuery } from './image.query.js';
import { ImageRepository } from './image.repository.js';
import {
  ImageAnswer,
  ImageListAnswer,
  imageListView,
  imageView,
  type ImageView,
} from './image.view.js';
import { ImagesService } from './images.service.js';
import { enabledMethods } from './import-methods.js';

const SETTABLE = Object.entries<ImageAttribute>(IMAGE_ATTRIBUTES).filter(
  ([, { readOnly }]) => !readOnly,
);

/** For the OpenAPI document. */
const NEW_IMAGE_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(SETTABLE.map(([name, one]) => [name, openApiProperty(one)])),
  additionalProperties: { type: 'string' },
};

/** For the OpenAPI document: the newer of the two media types. */
const CHANGES_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { type: 'string', enum: [...OPERATIONS] },
      path: { type: 'string', description: 'A JSON pointer to an attribute or property.' },
      value: { description: 'The new value; not for remove.' },
    },
  },
};

/** JSON schema's `[null, type]` is `nullable` in OpenAPI 3.0. */
function openApiProperty(attribute: ImageAttribute): Record<string, unknown> {
  const { is_base: _isBase, readOnly: _readOnly, type, ...rest } = attribute;
  const types = [type].flat();
  return {
    ...rest,
    type: types.find((one) => one !== 'null') ?? 'string',
    ...(types.includes('null') ? { nullable: true } : {}),
  };
}

/** Public source: Image API reference, "Images". */
@Controller('v2/images')
export class ImagesController {
  constructor(
    private readonly images: ImagesService,
    private readonly repository: ImageRepository,
    @Inject(CONFIG) private readonly config: ImagesConfig,
  ) {}

  @Post()
  @Operation('Create an image', ImageAnswer, { creates: true, errors: [409, 413] })
  @Allow('member')
  @ApiBody({ schema: NEW_IMAGE_SCHEMA })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImageView> {
    const view = this.#view(await this.images.create(ctx, newImageOf(body)));
    void reply
      .header('Location', `${ctx.baseUrl}${String(view['self'])}`)
      .header('OpenStack-image-import-methods', enabledMethods(this.config).join(','))
      .header('OpenStack-image-store-ids', this.config.store);
    return view;
  }

  @Get()
  @Operation('List images', ImageListAnswer, { errors: [400] })
  @Allow('reader')
  async list(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ImageView> {
    const page = await this.repository.list(ctx, imagePageOf(ctx, query));
    return imageListView(ctx, page, this.config.store);
  }

  @Get(':image_id')
  @Operation('Show an image', ImageAnswer)
  @Allow('reader')
  async show(@Ctx() ctx: RequestContext, @ImageParam() id: ImageId): Promise<ImageView> {
    return this.#view(await this.images.show(ctx, id));
  }

  @Patch(':image_id')
  @Operation('Change an image', ImageAnswer, { errors: [409, 413, 415] })
  @Allow('member')
  @ApiConsumes(...PATCH_MEDIA_TYPES)
  @ApiBody({ schema: CHANGES_SCHEMA })
  async patch(
    @Ctx() ctx: RequestContext,
    @ImageParam() id: ImageId,
    @Req() request: FastifyRequest,
  ): Promise<ImageView> {
    return this.#view(await this.images.patch(ctx, id, patchOf(request)));
  }

  @Delete(':image_id')
  @Operation('Delete an image', null)
  @Allow('member')
  async delete(@Ctx() ctx: RequestContext, @ImageParam() id: ImageId): Promise<void> {
    await this.images.delete(ctx, id);
  }

  #view(image: Image): ImageView {
    return imageView(image, this.config.store);
  }
}

/** Public source: Image API reference, "Deactivate image" and "Reactivate image". */
@ApiTags('images')
@Controller('v2/images/:image_id/actions')
export class ImageActionsController {
  constructor(private readonly images: ImagesService) {}

  @Post('deactivate')
  @Operation('Deactivate an image', null, { creates: false })
  @Allow('member')
  async deactivate(@Ctx() ctx: RequestContext, @ImageParam() id: ImageId): Promise<void> {
    await this.images.act(ctx, id, 'deactivate');
  }

  @Post('reactivate')
  @Operation('Reactivate an image', null, { creates: false })
  @Allow('member')
  async reactivate(@Ctx() ctx: RequestContext, @ImageParam() id: ImageId): Promise<void> {
    await this.images.act(ctx, id, 'reactivate');
  }
}

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

@Feature({
  controllers: [ImagesController, ImageActionsController, TagsController],
  providers: [ImageQuotas, ImageRepository, ImageWorkRepository, ImagesService, PatchBody],
  entities: [Image, UsedImageId],
})
export class ImagesModule {}

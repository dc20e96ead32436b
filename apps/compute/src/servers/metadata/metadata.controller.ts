/** Routes of metadata, texts by key: of a server, and of an image. */
import { Body, Delete, Get, Header, Inject, Param, Post, Put, type Type } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, type DomainError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import {
  ServerMetadataAnswer,
  ServerMetadataBody,
  ServerMetadataItemAnswer,
  ServerMetadataItemBody,
  type ServerMetadata,
} from './server-metadata.dto.js';

export interface MetadataStore {
  read(ctx: RequestContext, id: string): Promise<ServerMetadata>;
  /** @returns the metadata after the change */
  change(
    ctx: RequestContext,
    id: string,
    change: (now: Readonly<ServerMetadata>) => ServerMetadata,
    action?: string,
  ): Promise<ServerMetadata>;
}

export function metadataController(
  of: 'server' | 'image',
  store: Type<MetadataStore>,
  missing: new () => DomainError,
) {
  const owner = `${of}_id`;
  const metadata = `the metadata of ${of === 'image' ? 'an' : 'a'} ${of}`;

  abstract class MetadataController {
    @Inject(store)
    readonly store: MetadataStore;

    @Get()
    @Allow('reader')
    @Operation(`List ${metadata}`, ServerMetadataAnswer)
    async list(@Ctx() ctx: RequestContext, @Param(owner) id: string): Promise<object> {
      return { metadata: await this.store.read(ctx, id) };
    }

    @Post()
    @Allow('member')
    @Operation(`Add metadata to ${of === 'image' ? 'an' : 'a'} ${of}`, ServerMetadataAnswer, {
      status: 200,
      creates: false,
      errors: [409],
      description: 'Items with the same keys are replaced.',
    })
    async add(
      @Ctx() ctx: RequestContext,
      @Param(owner) id: string,
      @Body() { metadata: given }: ServerMetadataBody,
    ): Promise<object> {
      return { metadata: await this.store.change(ctx, id, (now) => ({ ...now, ...given })) };
    }

    @Put()
    @Allow('member')
    @Operation(`Replace ${metadata}`, ServerMetadataAnswer, { errors: [409] })
    async replace(
      @Ctx() ctx: RequestContext,
      @Param(owner) id: string,
      @Body() { metadata: given }: ServerMetadataBody,
    ): Promise<object> {
      return { metadata: await this.store.change(ctx, id, () => given) };
    }

    @Get(':key')
    @Allow('reader')
    @Operation(`Show an item of ${metadata}`, ServerMetadataItemAnswer)
    async show(
      @Ctx() ctx: RequestContext,
      @Param(owner) id: string,
      @Param('key') key: string,
    ): Promise<object> {
      const texts = await this.store.read(ctx, id);
      if (!Object.hasOwn(texts, key)) throw new missing();
      return { meta: { [key]: texts[key] } };
    }

    @Put(':key')
    @Allow('member')
    @Operation(`Set an item of ${metadata}`, ServerMetadataItemAnswer, { errors: [409] })
    async set(
      @Ctx() ctx: RequestContext,
      @Param(owner) id: string,
      @Param('key') key: string,
      @Body() { meta }: ServerMetadataItemBody,
    ): Promise<object> {
      if (!Object.hasOwn(meta, key)) throw new InvalidInputError('Request body and URI mismatch');
      await this.store.change(ctx, id, (now) => ({ ...now, ...meta }));
      return { meta };
    }

    @Delete(':key')
    @Header('Content-Type', 'application/json')
    @Allow('member')
    @Operation(`Delete an item of ${metadata}`, null, { errors: [409] })
    async remove(
      @Ctx() ctx: RequestContext,
      @Param(owner) id: string,
      @Param('key') key: string,
    ): Promise<void> {
      const without = (now: Readonly<ServerMetadata>): ServerMetadata => {
        if (!Object.hasOwn(now, key)) throw new missing();
        return Object.fromEntries(Object.entries(now).filter(([name]) => name !== key));
      };
      await this.store.change(ctx, id, without, 'delete metadata');
    }
  }
  return MetadataController;
}

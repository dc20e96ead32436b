/** Public source: Key Manager API reference, "Secret Metadata API". */
import { Body, Controller, Delete, Get, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, notFound } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Permits } from '../access/access.js';
import type { PolicyName } from '../access/policy.js';
import { secretRef } from '../http/refs.js';
import { secrets, type SecretId } from '../secrets/secret.resource.js';
import {
  MetadataDto,
  metadataOf,
  MetadataRefView,
  MetadataView,
  MetadatumDto,
  MetadatumView,
  type Metadata,
} from './metadata.dto.js';

class MetadatumNotFoundError extends notFound(
  (id: string, key: string) => `Secret ${id} has no metadata with the key '${key}'.`,
) {}

@ApiTags('secret metadata')
@Controller('v1/secrets/:secret_id/metadata')
export class MetadataController {
  @Get()
  @Permits('secret_meta:get')
  @Operation("Show a secret's metadata", MetadataView)
  async list(@Ctx() ctx: RequestContext, @Param('secret_id') id: SecretId): Promise<object> {
    const { userMetadata } = await secrets.permitted(ctx, id, 'secret_meta:get');
    return { metadata: userMetadata };
  }

  @Put()
  @Permits('secret_meta:put')
  @Operation("Replace a secret's metadata", MetadataRefView, { status: 201 })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Body() body: MetadataDto,
  ): Promise<object> {
    await change(ctx, id, 'secret_meta:put', () => metadataOf(body));
    return { metadata_ref: metadataRef(ctx, id) };
  }

  @Post()
  @Permits('secret_meta:post')
  @Operation("Add to a secret's metadata", MetadatumView, { creates: true, errors: [409] })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Body() { key: written, value }: MetadatumDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const key = written.toLowerCase();
    await change(ctx, id, 'secret_meta:post', (metadata) => {
      if (Object.hasOwn(metadata, key))
        throw new DomainError(
          'conflict',
          `Secret ${id} has metadata with the key '${key}' already.`,
        );
      return metadataOf({ metadata: { ...metadata, [key]: value } });
    });
    void reply.header('Location', `${metadataRef(ctx, id)}/${key}`);
    return { key, value };
  }

  @Get(':key')
  @Permits('secret_meta:get')
  @Operation("Show one of a secret's metadata", MetadatumView)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Param('key') written: string,
  ): Promise<object> {
    const { userMetadata } = await secrets.permitted(ctx, id, 'secret_meta:get');
    const key = written.toLowerCase();
    return { key, value: required(userMetadata, id, key) };
  }

  @Put(':key')
  @Permits('secret_meta:put')
  @Operation("Change one of a secret's metadata", MetadatumView, { errors: [409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Param('key') written: string,
    @Body() { key: named, value }: MetadatumDto,
  ): Promise<object> {
    const key = written.toLowerCase();
    await change(ctx, id, 'secret_meta:put', (metadata) => {
      required(metadata, id, key);
      if (named.toLowerCase() !== key)
        throw new DomainError(
          'conflict',
          `The key '${named}' is not the key '${key}' of the path.`,
        );
      return { ...metadata, [key]: value };
    });
    return { key, value };
  }

  @Delete(':key')
  @Permits('secret_meta:delete')
  @Operation("Remove one of a secret's metadata", null)
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Param('key') written: string,
  ): Promise<void> {
    const key = written.toLowerCase();
    await change(ctx, id, 'secret_meta:delete', (metadata) => {
      required(metadata, id, key);
      return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== key));
    });
  }
}

/** Changes metadata under the secret's lock, so that no change is lost. */
async function change(
  ctx: RequestContext,
  id: SecretId,
  operation: PolicyName,
  of: (metadata: Metadata) => Metadata,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { userMetadata } = await secrets.held(tx, id, operation);
    await secrets.update(tx, id, { userMetadata: of(userMetadata) });
  });
}

/** @throws MetadatumNotFoundError */
function required(metadata: Metadata, id: SecretId, key: string): string {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (value === undefined) throw new MetadatumNotFoundError(id, key);
  return value;
}

function metadataRef(ctx: RequestContext, id: SecretId): string {
  return `${secretRef(ctx, id)}/metadata`;
}

@Feature({ controllers: [MetadataController] })
export class MetadataModule {}

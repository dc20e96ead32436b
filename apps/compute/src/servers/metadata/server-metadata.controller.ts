import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Param,
  Post,
  Put,
  Injectable,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { MetadataItemNotFoundError } from '../server.errors.js';
import { ServersService } from '../servers.service.js';
import { ServerAttributes } from '../server-attributes.js';
import {
  ServerMetadataAnswer,
  ServerMetadataBody,
  ServerMetadataItemAnswer,
  ServerMetadataItemBody,
  type ServerMetadata,
} from './server-metadata.dto.js';

@Injectable()
export class ServerMetadataService {
  constructor(
    private readonly attributes: ServerAttributes,
    private readonly quotas: ComputeQuotas,
  ) {}

  /**
   * @param change what is there becomes what it returns
   * @returns what is there now
   * @throws RequestTooGreatError for more items than the quota of the server's project
   */
  async update(
    ctx: RequestContext,
    id: string,
    change: (now: Readonly<ServerMetadata>) => ServerMetadata,
  ): Promise<ServerMetadata> {
    const options = { action: 'update metadata', settled: true };
    const { metadata } = await this.attributes.change(ctx, id, options, async (server, tx) => {
      const changed = change(server.metadata);
      const items = Object.keys(changed).length;
      await this.quotas.claim(tx, { metadata_items: items }, server.projectId);
      return { metadata: changed };
    });
    return metadata;
  }

  /** @throws MetadataItemNotFoundError */
  async remove(ctx: RequestContext, id: string, key: string): Promise<void> {
    const options = { action: 'delete metadata', settled: true };
    await this.attributes.change(ctx, id, options, ({ metadata }) => {
      if (!Object.hasOwn(metadata, key)) throw new MetadataItemNotFoundError();
      const kept = Object.entries(metadata).filter(([name]) => name !== key);
      return { metadata: Object.fromEntries(kept) };
    });
  }
}

/** Public source: Nova API reference, "Servers metadata (servers, server_metadata)". */
@ApiTags('servers')
@Controller('servers/:server_id/metadata')
export class ServerMetadataController {
  constructor(
    private readonly servers: ServersService,
    private readonly metadata: ServerMetadataService,
  ) {}

  @Get()
  @Allow('reader')
  @Operation('List the metadata of a server', ServerMetadataAnswer)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
  ): Promise<ServerMetadataAnswer> {
    const { metadata } = await this.servers.get(ctx, id);
    return { metadata };
  }

  @Post()
  @Allow('member')
  @Operation('Add metadata to a server', ServerMetadataAnswer, {
    status: 200,
    creates: false,
    errors: [409],
    description: 'Items of the same keys are replaced.',
  })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() { metadata: given }: ServerMetadataBody,
  ): Promise<ServerMetadataAnswer> {
    return {
      metadata: await this.metadata.update(ctx, id, (now) => ({ ...now, ...given })),
    };
  }

  @Put()
  @Allow('member')
  @Operation('Replace the metadata of a server', ServerMetadataAnswer, { errors: [409] })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Body() { metadata: given }: ServerMetadataBody,
  ): Promise<ServerMetadataAnswer> {
    return { metadata: await this.metadata.update(ctx, id, () => given) };
  }

  @Get(':key')
  @Allow('reader')
  @Operation('Show an item of the metadata of a server', ServerMetadataItemAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('key') key: string,
  ): Promise<ServerMetadataItemAnswer> {
    const { metadata } = await this.servers.get(ctx, id);
    const text = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    if (text === undefined) throw new MetadataItemNotFoundError();
    return { meta: { [key]: text } };
  }

  @Put(':key')
  @Allow('member')
  @Operation('Set an item of the metadata of a server', ServerMetadataItemAnswer, {
    errors: [409],
  })
  async set(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('key') key: string,
    @Body() { meta }: ServerMetadataItemBody,
  ): Promise<ServerMetadataItemAnswer> {
    if (!Object.hasOwn(meta, key)) throw new InvalidInputError('Request body and URI mismatch');
    await this.metadata.update(ctx, id, (now) => ({ ...now, ...meta }));
    return { meta };
  }

  @Delete(':key')
  @Header('Content-Type', 'application/json')
  @Allow('member')
  @Operation('Delete an item of the metadata of a server', null, { errors: [409] })
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('server_id') id: string,
    @Param('key') key: string,
  ): Promise<void> {
    await this.metadata.remove(ctx, id, key);
  }
}

import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { ServerAttributes } from '../server-attributes.js';
import { MetadataItemNotFoundError } from '../server.errors.js';
import { ServersService } from '../servers.service.js';
import { metadataController, type MetadataStore } from './metadata.controller.js';
import type { ServerMetadata } from './server-metadata.dto.js';

/** The action's name in refusals. */
const UPDATE = 'update metadata';

@Injectable()
export class ServerMetadataService implements MetadataStore {
  constructor(
    private readonly servers: ServersService,
    private readonly attributes: ServerAttributes,
    private readonly quotas: ComputeQuotas,
  ) {}

  async read(ctx: RequestContext, id: string): Promise<ServerMetadata> {
    return (await this.servers.get(ctx, id)).metadata;
  }

  /** @throws RequestTooGreatError for more items than the quota of the server's project */
  async change(
    ctx: RequestContext,
    id: string,
    change: (now: Readonly<ServerMetadata>) => ServerMetadata,
    action = UPDATE,
  ): Promise<ServerMetadata> {
    const options = { action, settled: true };
    const { metadata } = await this.attributes.change(ctx, id, options, async (server, tx) => {
      const changed = change(server.metadata);
      const items = Object.keys(changed).length;
      if (action === UPDATE)
        await this.quotas.claim(tx, { metadata_items: items }, server.projectId);
      return { metadata: changed };
    });
    return metadata;
  }
}

/** Public source: Nova API reference, "Servers metadata (servers, server_metadata)". */
@ApiTags('servers')
@Controller('servers/:server_id/metadata')
export class ServerMetadataController extends metadataController(
  'server',
  ServerMetadataService,
  MetadataItemNotFoundError,
) {}

import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { MetadataItemNotFoundError } from '../server.errors.js';
import { ServerAttributes } from '../server-attributes.js';
import type { ServerMetadata } from './server-metadata.dto.js';

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

import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { BeforeWork } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { equals } from '@cumulet/common/tables/condition';
import { networks, reapply } from '../networks/networks.service.js';
import { MetadataPort } from './metadata-port.entity.js';
import { followSubnets } from './metadata-port.js';

@Injectable()
export class MetadataPorts {
  /** Networks of a version that gave them no metadata. */
  @BeforeWork()
  async complete(ctx: RequestContext): Promise<void> {
    const rows = await preparedRows<{ id: string }>(
      ctx.manager,
      `SELECT DISTINCT network_id AS id FROM subnets
        WHERE enable_dhcp AND ip_version = 4
          AND NOT EXISTS (SELECT FROM metadata_ports
                           WHERE metadata_ports.network_id = subnets.network_id)`,
    );
    for (const { id } of rows) await inTransaction(ctx, (tx) => this.completeOne(tx, id));
  }

  private async completeOne(tx: RequestContext, id: string): Promise<void> {
    // It may have gone meanwhile, with its subnets.
    const [network] = await networks.select(tx, [equals('id', id)], 'FOR UPDATE');
    if (!network || network.state === 'removing') return;
    await followSubnets(tx, id);
    await reapply(tx, id);
  }
}

@Feature({ providers: [MetadataPorts], entities: [MetadataPort] })
export class MetadataPortsModule {}

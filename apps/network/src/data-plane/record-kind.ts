import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { BeforeWork } from '@cumulet/common/service/background';
import { DATA_PLANE, type DataPlane } from './data-plane.js';

/** Processes that only answer requests have no data plane, and show which the others chose. */
@Injectable()
export class DataPlaneKindRecord {
  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  @BeforeWork()
  async record(ctx: RequestContext): Promise<void> {
    await preparedRows(
      ctx.manager,
      'INSERT INTO data_plane_kind (vif) VALUES ($1) ON CONFLICT (id) DO UPDATE SET vif = $1',
      [this.dataPlane.vif],
    );
  }
}

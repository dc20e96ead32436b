/** Provides the data plane, and records which one was chosen. */
import { Feature } from '@cumulet/common/service/feature';
import type { ServiceRole } from '@cumulet/common/service/service-settings';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { BeforeWork } from '@cumulet/common/service/background';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { ChosenDataPlane, chooseDataPlane } from './choose-data-plane.js';
import type { DaemonLog, DataPlaneSettings } from './choose-data-plane.js';
import { DATA_PLANE, type DataPlane, type Vif } from './data-plane.js';

/** One row that tells the processes that only answer requests which data plane is in use. */
@Entity('data_plane_kind')
@Check('data_plane_kind_one_check', 'id = 1')
class DataPlaneKind {
  @PrimaryColumn('smallint', { default: 1 })
  id: number;

  /** How bound ports are plugged in. */
  @Column('jsonb')
  vif: Vif;
}

/** Processes that only answer requests have no data plane of their own. */
@Injectable()
class DataPlaneKindRecord {
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

/** @returns nothing in a process that only answers requests */
function dataPlaneOf(
  config: DataPlaneSettings & { readonly role: ServiceRole },
  logger: DaemonLog,
): Promise<ChosenDataPlane> | undefined {
  return config.role === 'api' ? undefined : chooseDataPlane(config, logger);
}

@Feature({
  entities: [DataPlaneKind],
  providers: [
    { provide: ChosenDataPlane, inject: [CONFIG, LOGGER], useFactory: dataPlaneOf },
    {
      provide: DATA_PLANE,
      inject: [ChosenDataPlane],
      useFactory: (chosen?: ChosenDataPlane) => chosen?.driver,
    },
    DataPlaneKindRecord,
  ],
})
export class DataPlaneModule {}

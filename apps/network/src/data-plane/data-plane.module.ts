/** Which data plane carries the packets, and why. */
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { NetworkConfig } from '../config.js';
import { ChosenDataPlane, chooseDataPlane, type DaemonLog } from './choose-data-plane.js';
import { DATA_PLANE } from './data-plane.js';
import { DataPlaneKind } from './data-plane-kind.entity.js';
import { DataPlaneComparison } from './data-plane.sweep.js';
import { DataPlaneKindRecord } from './record-kind.js';

/** A process that only answers requests has none. */
function dataPlaneOf(
  config: NetworkConfig,
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
    DataPlaneComparison,
    DataPlaneKindRecord,
  ],
})
export class DataPlaneModule {}

/** Which data plane carries the packets, and why. */
import { ChosenDriver } from '@cumulet/common/service/chosen-driver';
import { Feature } from '@cumulet/common/service/feature';
import { DATA_PLANE, type DataPlane } from './data-plane.js';
import { DataPlaneComparison } from './data-plane.sweep.js';
import { SimulatedDataPlane } from './simulated-data-plane.js';

class ChosenDataPlane extends ChosenDriver<DataPlane> {
  constructor(driver: DataPlane, reason: string) {
    super('data plane', driver, reason);
  }
}

@Feature({
  providers: [
    {
      provide: ChosenDataPlane,
      useFactory: () =>
        new ChosenDataPlane(new SimulatedDataPlane(), 'simulated: nothing carries packets yet'),
    },
    {
      provide: DATA_PLANE,
      inject: [ChosenDataPlane],
      useFactory: ({ driver }: ChosenDataPlane) => driver,
    },
    DataPlaneComparison,
  ],
})
export class DataPlaneModule {}

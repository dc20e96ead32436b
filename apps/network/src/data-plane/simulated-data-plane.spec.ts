import { describe } from '@jest/globals';
import { balancerContract } from './balancer-contract.fixture.js';
import { dataPlaneContract } from './data-plane-contract.fixture.js';
import { SimulatedDataPlane } from './simulated-data-plane.js';

describe('the simulated data plane', () => {
  dataPlaneContract(() =>
    Promise.resolve({
      dataPlane: new SimulatedDataPlane(),
      plug: () => Promise.resolve(),
    }),
  );
  balancerContract(() => Promise.resolve(new SimulatedDataPlane()));
});

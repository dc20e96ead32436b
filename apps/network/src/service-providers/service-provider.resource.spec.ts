import { describe, expect, it } from '@jest/globals';
import type { DataPlane } from '../data-plane/data-plane.js';
import { SimulatedDataPlane } from '../data-plane/simulated-data-plane.js';
import { serviceProviders } from './service-provider.resource.js';

const names = (...of: Parameters<typeof serviceProviders>) =>
  serviceProviders(...of).map(({ name }) => name);

describe('service providers', () => {
  it('are named by the data plane that there is', () => {
    expect(names({} as DataPlane, 'auto')).toEqual(['ovn']);
    expect(names(new SimulatedDataPlane(), 'auto')).toEqual(['simulated']);
  });

  it('are named by the settings where there is none', () => {
    expect(names(undefined, 'auto')).toEqual(['ovn']);
    expect(names(undefined, 'simulated')).toEqual(['simulated']);
  });
});

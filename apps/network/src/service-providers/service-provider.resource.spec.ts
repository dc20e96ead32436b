import { describe, expect, it } from '@jest/globals';
import { SWITCHED, type DataPlane } from '../data-plane/data-plane.js';
import { SimulatedDataPlane } from '../data-plane/simulated-data-plane.js';
import { serviceProviders } from './service-provider.resource.js';

const names = (...of: Parameters<typeof serviceProviders>) =>
  serviceProviders(...of).map(({ name }) => name);

describe('service providers', () => {
  it('follow from the data plane', () => {
    expect(names({ vif: SWITCHED } as DataPlane, 'auto')).toEqual(['ovn']);
    expect(names(new SimulatedDataPlane(), 'auto')).toEqual(['simulated']);
  });

  it('are none if nothing carries packets between guests', () => {
    const vif = { ...SWITCHED, type: 'user' } as const;
    expect(names({ vif } as DataPlane, 'auto')).toEqual([]);
    expect(names(undefined, 'user')).toEqual([]);
  });

  it('follow from the settings without a data plane', () => {
    expect(names(undefined, 'auto')).toEqual(['ovn']);
    expect(names(undefined, 'simulated')).toEqual(['simulated']);
  });
});

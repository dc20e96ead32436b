/**
 * What carries out a kind of service. Public source: neutron-lib, `api/definitions/servicetype.py`;
 * neutron, `services/ovn_l3/service_providers/driver_controller.py`.
 */
import { shownOnly } from '@cumulet/common/resources/attribute';
import { flag, text } from '@cumulet/common/resources/value-type';
import type { DataPlane } from '../data-plane/data-plane.js';
import { SimulatedDataPlane } from '../data-plane/simulated-data-plane.js';
import { defineBareResource } from '../resource/resource.js';

export interface ServiceProvider {
  readonly serviceType: string;
  readonly name: string;
  readonly default: boolean;
}

export const serviceProviderResource = defineBareResource({
  singular: 'service_provider',
  plural: 'service_providers',
  attributes: {
    serviceType: shownOnly(text(), { about: 'The kind of service: L3_ROUTER_NAT is routers.' }),
    name: shownOnly(text(), { about: 'What carries it out.' }),
    default: shownOnly(flag, { about: 'Whether it does unless a request says otherwise.' }),
  },
});

/**
 * Routers are the only kind that this service has, and they are the data plane's.
 * @param dataPlane undefined in a process that only answers requests
 * @param configured the setting, by which such a process goes
 */
export function serviceProviders(
  dataPlane: DataPlane | undefined,
  configured: string,
): readonly ServiceProvider[] {
  // Guests without a switch between them have no routers either.
  if (dataPlane?.vif.type === 'user' || (!dataPlane && configured === 'user')) return [];
  const isSimulated =
    dataPlane === undefined ? configured === 'simulated' : dataPlane instanceof SimulatedDataPlane;
  const name = isSimulated ? 'simulated' : 'ovn';
  return [{ serviceType: 'L3_ROUTER_NAT', name, default: true }];
}

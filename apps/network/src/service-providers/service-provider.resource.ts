/**
 * Providers of service types. Public source: neutron-lib, `api/definitions/servicetype.py`;
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
    serviceType: shownOnly(text(), {
      about: 'The service type, such as L3_ROUTER_NAT for routers.',
    }),
    name: shownOnly(text(), { about: 'The name of the provider.' }),
    default: shownOnly(flag, { about: 'Whether it is used unless a request says otherwise.' }),
  },
});

/**
 * Routers are the only service type, and the data plane provides them.
 * @param dataPlane undefined in a process that only answers requests
 * @param configured the setting, which decides in such a process
 */
export function serviceProviders(
  dataPlane: DataPlane | undefined,
  configured: string,
): readonly ServiceProvider[] {
  // The user-mode network has no routers.
  if (dataPlane?.vif.type === 'user' || (!dataPlane && configured === 'user')) return [];
  const isSimulated =
    dataPlane === undefined ? configured === 'simulated' : dataPlane instanceof SimulatedDataPlane;
  const name = isSimulated ? 'simulated' : 'ovn';
  return [{ serviceType: 'L3_ROUTER_NAT', name, default: true }];
}

/** What a port is for. Public source: neutron-lib, `DEVICE_OWNER_…` in `constants.py`. */

interface Owned {
  readonly deviceOwner: string;
}

export const FLOATING_IP_OWNER = 'network:floatingip';
/** Public source: octavia, `OCTAVIA_OWNER` in `common/constants.py`. */
export const LOAD_BALANCER_OWNER = 'Octavia';
/** Public source: ovn-octavia-provider, `OVN_LB_HM_PORT_DISTRIBUTED` in `common/constants.py`. */
export const CHECK_SOURCE_OWNER = 'ovn-lb-hm:distributed';
export const METADATA_OWNER = 'network:distributed';

/** Public source: neutron-lib, `ROUTER_PORT_OWNERS`. */
const ROUTER_OWNERS = [
  'network:router_interface',
  'network:ha_router_replicated_interface',
  'network:router_interface_distributed',
  'network:router_gateway',
  'network:router_centralized_snat',
];

export function isRouterPort({ deviceOwner }: Owned): boolean {
  return ROUTER_OWNERS.includes(deviceOwner);
}

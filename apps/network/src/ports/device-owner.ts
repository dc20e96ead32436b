import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { conflict } from '@cumulet/common/errors/domain-error';
import type { AppliedState } from '../resource/applied.states.js';

/** Device owners of ports. Public source: neutron-lib, `DEVICE_OWNER_…` in `constants.py`. */

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

const APPLIED_WITH_OTHERS = [FLOATING_IP_OWNER, METADATA_OWNER];

/** Whether it is applied as a port: metadata ports are part of their networks. */
export function isPlugged(port: Owned): boolean {
  return !isRouterPort(port) && !APPLIED_WITH_OTHERS.includes(port.deviceOwner);
}

class RouterRefusedError extends conflict(
  (reason: string | null) => reason ?? 'The data plane could not apply the router.',
) {}

/**
 * @returns whether its router is applied and enabled; undefined while it is being applied
 * @throws RouterRefusedError if the data plane could not apply the router
 */
export async function isRouterUp(
  ctx: RequestContext,
  port: { readonly id: string; readonly adminStateUp: boolean },
): Promise<boolean | undefined> {
  const [router] = await preparedRows<{ state: AppliedState; reason: string | null }>(
    ctx.manager,
    `SELECT state, state_reason AS reason
       FROM router_ports JOIN routers ON routers.id = router_id WHERE port_id = $1`,
    [port.id],
  );
  switch (router?.state) {
    case undefined:
    case 'removing':
      return false;
    case 'applying':
      return undefined;
    case 'active':
      return port.adminStateUp;
    case 'error':
      throw new RouterRefusedError(router.reason);
  }
}

/** What becomes of ports that routers have: the data plane is told of them with their routers. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { AppliedState } from '../resource/applied.states.js';
import { FLOATING_IP_OWNER, isRouterPort, METADATA_OWNER } from './device-owner.js';
import type { Port } from './port.entity.js';

const TOLD_OTHERWISE = [FLOATING_IP_OWNER, METADATA_OWNER];

/** Whether it is told to the data plane as a port: those for metadata are told with their networks. */
export function isPlugged(port: Pick<Port, 'deviceOwner'>): boolean {
  return !isRouterPort(port) && !TOLD_OTHERWISE.includes(port.deviceOwner);
}

/** The data plane has refused the router. */
export class RouterRefusedError extends DomainError {
  constructor(reason: string | null) {
    super('conflict', reason ?? 'The data plane would not have the router.');
  }
}

/**
 * @returns whether its router has it, and it is on; undefined while the data plane is being told
 * @throws RouterRefusedError if the data plane would not have the router
 */
export async function isRouterUp(ctx: RequestContext, port: Port): Promise<boolean | undefined> {
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

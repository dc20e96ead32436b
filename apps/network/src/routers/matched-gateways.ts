/**
 * Which of a router's gateways a client means, since it names them by network and address alone.
 * Public source: neutron, `_match_requested_gateway_ports` in `db/l3_extra_gws_db.py`.
 */
import type { Gateway, Router } from './router.entity.js';
import { UnableToMatchGatewaysError } from './router.errors.js';
import { namedAddresses } from './router-gateways.js';
import type { AskedGateway } from './router.resource.js';

export type MatchedGateway = readonly [AskedGateway, Gateway | undefined];

/**
 * @returns each with the gateway that it means, or without one
 * @throws UnableToMatchGatewaysError if it could be several
 */
export function matchGateways(
  { id, gateways }: Router,
  asked: readonly AskedGateway[],
): MatchedGateway[] {
  const left = [...gateways];
  return asked.map((one) => {
    const fitting = left.filter((gateway) => mayMean(one, gateway));
    if (fitting.length > 1 && namedAddresses(one).length === 0) {
      throw new UnableToMatchGatewaysError(
        id,
        `multiple gateway ports are attached to the same network ${one.network_id} but external_fixed_ips parameter is not specified in the request`,
      );
    }
    const [found] = fitting;
    if (found) left.splice(left.indexOf(found), 1);
    return [one, found] as const;
  });
}

function mayMean(asked: AskedGateway, { networkId, fixedIps }: Gateway): boolean {
  if (asked.network_id !== networkId) return false;
  const named = namedAddresses(asked);
  return named.length === 0 || fixedIps.some(({ ip_address }) => named.includes(ip_address));
}

import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { InterfaceDto } from './interface.dto.js';
import { networkRequestsOf } from '../servers/network-requests.js';

/** What a request for an interface says of networks, as one for a server would. */
export function interfaceRequestsOf({ net_id, port_id, fixed_ips, tag }: InterfaceDto) {
  if (net_id !== undefined && port_id !== undefined)
    throw new InvalidInputError('Must not input both network_id and port_id');
  const [address] = fixed_ips ?? [];
  if (address && net_id === undefined)
    throw new InvalidInputError('Must input network_id when request IP address');
  if (net_id === undefined && port_id === undefined) return 'any';
  return networkRequestsOf(
    [
      {
        ...(net_id === undefined ? {} : { uuid: net_id }),
        ...(port_id === undefined ? {} : { port: port_id }),
        ...(address ? { fixed_ip: address.ip_address } : {}),
        ...(tag === undefined ? {} : { tag }),
      },
    ],
    1,
  );
}

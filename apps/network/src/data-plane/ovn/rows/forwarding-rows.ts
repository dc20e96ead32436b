/** Ports that are forwarded: each a load balancer of one. Public source: ovn-nb(5), "Load_Balancer". */
import { endpoint, plain, vips, word, type OvnAddress } from '../../../languages/ovsdb-text.js';
import type { PortForwardingSpec, RouterSpec } from '../../data-plane.js';
import { partOf, type WantedRow } from './northbound.js';

/** OVN's load balancers know no other. */
const PROTOCOLS = new Map([
  ['tcp', word('tcp')],
  ['udp', word('udp')],
  ['sctp', word('sctp')],
]);

export function forwardingRows({ id, portForwardings }: RouterSpec): WantedRow[] {
  return portForwardings.flatMap((forwarding): WantedRow[] => {
    const protocol = PROTOCOLS.get(forwarding.protocol);
    if (protocol === undefined) return [];
    const row = {
      name: plain(forwarding.id),
      protocol: [protocol],
      vips: virtualAddresses(forwarding),
      ...partOf(id),
    };
    const memberOf = [{ table: 'Logical_Router', id, column: 'load_balancer' }] as const;
    return [{ table: 'Load_Balancer', id: forwarding.id, row, memberOf }];
  });
}

function virtualAddresses(forwarding: PortForwardingSpec): Readonly<Record<string, OvnAddress>> {
  const { address, externalPorts, internalAddress, internalPorts } = forwarding;
  const [first, last] = externalPorts;
  const isOne = internalPorts[0] === internalPorts[1];
  const ports = Array.from({ length: last - first + 1 }, (_, index) => index);
  return vips(
    ports.map((index) => [
      endpoint(address, first + index),
      [endpoint(internalAddress, internalPorts[0] + (isOne ? 0 : index))],
    ]),
  );
}

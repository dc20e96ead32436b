/** Ports that are forwarded: each a load balancer of one. Public source: ovn-nb(5), "Load_Balancer". */
import type { PortForwardingSpec, RouterSpec } from '../../data-plane.js';
import { partOf, type WantedRow } from './northbound.js';

/** OVN's load balancers know no other. */
const PROTOCOLS = ['tcp', 'udp', 'sctp'];

export function forwardingRows({ id, portForwardings }: RouterSpec): WantedRow[] {
  return portForwardings
    .filter(({ protocol }) => PROTOCOLS.includes(protocol))
    .map((forwarding) => ({
      table: 'Load_Balancer',
      id: forwarding.id,
      row: {
        name: forwarding.id,
        protocol: [forwarding.protocol],
        vips: virtualAddresses(forwarding),
        ...partOf(id),
      },
      memberOf: [{ table: 'Logical_Router', id, column: 'load_balancer' }],
    }));
}

function virtualAddresses(forwarding: PortForwardingSpec): Readonly<Record<string, string>> {
  const { address, externalPorts, internalAddress, internalPorts } = forwarding;
  const [first, last] = externalPorts;
  const isOne = internalPorts[0] === internalPorts[1];
  const ports = Array.from({ length: last - first + 1 }, (_, index) => index);
  return Object.fromEntries(
    ports.map((index) => [
      `${address}:${first + index}`,
      `${internalAddress}:${internalPorts[0] + (isOne ? 0 : index)}`,
    ]),
  );
}

/** Who is seen from outside as whom. Public source: ovn-nb(5), "NAT". */
import { address as written, network, plains, word } from '../../../languages/ovsdb-text.js';
import type { GatewaySpec, RouterSpec } from '../../data-plane.js';
import { derivedId, partOf, type WantedRow } from './northbound.js';

export function natRows(router: RouterSpec): WantedRow[] {
  return [
    ...router.gateways.flatMap((gateway) => sourceRows(router, gateway)),
    ...floatingRows(router),
  ];
}

/** What the subnets of the interfaces send out comes from the gateway's address. */
function sourceRows({ id, interfaces }: RouterSpec, gateway: GatewaySpec): WantedRow[] {
  const external = gateway.addresses.find(({ address }) => isV4(address))?.address;
  if (!gateway.enableSnat || external === undefined) return [];
  const cidrs = interfaces.flatMap(({ addresses }) => addresses.map(({ cidr }) => cidr));
  return [...new Set(cidrs.filter(isV4))].map((cidr) => ({
    table: 'NAT' as const,
    id: derivedId(id, 'snat', gateway.portId, cidr),
    row: {
      type: word('snat'),
      external_ip: written(external),
      logical_ip: network(cidr),
      gateway_port: plains([gateway.portId]),
      ...partOf(id),
    },
  }));
}

function floatingRows({ id, gateways, floatingIps }: RouterSpec): WantedRow[] {
  return floatingIps.map((floating) => {
    const gateway = gateways.find(({ networkId }) => networkId === floating.networkId);
    return {
      table: 'NAT',
      id: floating.id,
      row: {
        type: word('dnat_and_snat'),
        external_ip: written(floating.address),
        logical_ip: written(floating.fixedAddress),
        gateway_port: plains(gateway ? [gateway.portId] : []),
        ...partOf(id),
      },
    };
  });
}

function isV4(address: string): boolean {
  return !address.includes(':');
}

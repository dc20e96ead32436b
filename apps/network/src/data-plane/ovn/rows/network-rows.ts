/**
 * A network is a logical switch; a provider network also has a localnet port. Public sources:
 * ovn-nb(5); neutron, `plugins/ml2/drivers/ovn`.
 */
import { plain, UNKNOWN, word } from '../../../languages/ovsdb-text.js';
import type { NetworkSpec } from '../../data-plane.js';
import { dhcpRows } from './dhcp-rows.js';
import { metadataRows } from './metadata-rows.js';
import { derivedId, markOf, partOf, type WantedRow } from './northbound.js';

export function networkRows(network: NetworkSpec): WantedRow[] {
  const { id } = network;
  return [
    { table: 'Logical_Switch', id, row: { name: plain(id), ...markOf('network', network) } },
    ...physicalPort(network),
    ...metadataRows(network),
    ...dhcpRows(network),
  ];
}

/** The switch's ports that are part of the network itself. */
export function ownPorts(network: NetworkSpec): string[] {
  return [...physicalPort(network), ...metadataRows(network)].map(({ id }) => id);
}

function physicalPort({ id, physicalNetwork, segmentationId }: NetworkSpec): WantedRow[] {
  if (physicalNetwork === null) return [];
  const name = derivedId(id, 'physical');
  return [
    {
      table: 'Logical_Switch_Port',
      id: name,
      row: {
        name: plain(name),
        type: word('localnet'),
        addresses: [UNKNOWN],
        options: { network_name: plain(physicalNetwork) },
        tag: segmentationId === null ? [] : [segmentationId],
        ...partOf(id),
      },
      memberOf: [{ table: 'Logical_Switch', id }],
    },
  ];
}

/**
 * The metadata port of a network, of which each host has its own instance. Public source:
 * ovn-architecture(7), `localport`; neutron, `agent/ovn/metadata`.
 */
import { ofMac, plain, word } from '../../../languages/ovsdb-text.js';
import type { MetadataPortSpec, NetworkSpec } from '../../data-plane.js';
import { markOf, type WantedRow } from './northbound.js';

/** The metadata address of EC2 and OpenStack. */
export const METADATA_ADDRESS = '169.254.169.254';
export const METADATA_ADDRESS_V6 = 'fe80::a9fe:a9fe';

/** The data of a metadata port that hosts need. */
export interface MetadataMark extends MetadataPortSpec {
  /** The ID of the port. */
  readonly id: string;
  readonly networkId: string;
  /** The MTU of the network in bytes. */
  readonly mtu: number;
}

export function metadataRows({
  id: networkId,
  mtu,
  adminStateUp,
  metadataPort,
}: NetworkSpec): WantedRow[] {
  if (!metadataPort) return [];
  const { portId, macAddress, addresses } = metadataPort;
  const own = addresses.map(({ address }) => address);
  const mark: MetadataMark = { id: portId, networkId, mtu, ...metadataPort };
  return [
    {
      table: 'Logical_Switch_Port',
      id: portId,
      row: {
        name: plain(portId),
        type: word('localport'),
        enabled: [adminStateUp],
        addresses: [ofMac(macAddress, [...own, METADATA_ADDRESS, METADATA_ADDRESS_V6])],
        ...markOf('metadata_port', mark),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId }],
    },
  ];
}

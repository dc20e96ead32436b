/**
 * The settings of the data plane: of a host of it, be that an agent or a network service that is a host
 * itself, and of a service that chooses what carries its packets.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import {
  boolean,
  choice,
  drawnKey,
  folder,
  integer,
  optional,
  setting,
  text,
  url,
  SettingError,
  type Values,
} from '@cumulet/common/config/settings';
import { isInterfaceAddress, parseUplinkAddresses } from './ovn/host/uplinks/uplink-addresses.js';
import { GUEST_DOOR_PORT, type Ingress } from './ovn/metadata/guest-door.js';
import { METADATA_ADDRESS } from './ovn/rows/metadata-rows.js';
import type { Tunnel } from './ovn/host/host-settings.js';

export const hostSettings = {
  dataDir: folder('NETWORK_DATA_DIR', {
    about: "Folder of what the data plane keeps, such as OVN's databases; each host has its own.",
    default: '/var/lib/cumulet/network',
    folder: 'network',
  }),
  host: text('CUMULET_HOST', {
    about: 'Name of this hypervisor host; each host runs one worker of this name.',
    default: hostname(),
  }),
  physicalNetworks: text('NETWORK_PHYSICAL_NETWORKS', {
    about: 'Physical networks that administrators may build provider networks on, by commas.',
    default: 'public',
  }),
  uplinkAddresses: optional(
    setting(
      'NETWORK_UPLINK_ADDRESSES',
      'name=IPv4 address/prefix, separated by commas',
      {
        about:
          "The host's own addresses on physical networks, as public=172.24.4.1/24; none where it has a route to there.",
      },
      parseUplinkAddresses,
    ),
  ),
  tunnelDevice: optional(
    text('NETWORK_TUNNEL_DEVICE', {
      about:
        "The machine's device, or bridge, that leads to the other hosts of the cloud; unset: there are none.",
    }),
  ),
  tunnelAddress: optional(
    setting(
      'NETWORK_TUNNEL_ADDRESS',
      'IPv4 address/prefix',
      {
        about:
          "This host's address for tunnels, as 192.0.2.1/24; free, and on one network with those of the other hosts.",
      },
      (value) => (isInterfaceAddress(value) ? value : undefined),
    ),
  ),
  tapUid: integer('NETWORK_TAP_UID', {
    about:
      "Number of the user who may open the devices of guests, unless a port's binding:profile has a tap_uid.",
    default: 65_534,
    min: 1,
    max: 0xfffffffe,
  }),
  metadataUrl: optional(
    url('NETWORK_METADATA_URL', {
      about:
        "Compute's metadata, which guests ask at 169.254.169.254; unset: they are answered 503 there.",
    }),
  ),
  metadataSecret: optional(
    drawnKey(
      text('CUMULET_METADATA_SECRET', {
        about:
          'Key under which compute is told which guest asks, and which it has, too; unset: guests are answered 503.',
        secret: true,
      }),
    ),
  ),
  guestIngress: optional(
    setting(
      'NETWORK_GUEST_INGRESS',
      'host:port',
      {
        example: '127.0.0.1:8080',
        about: `Where guests reach the cloud's API, at http://${METADATA_ADDRESS}:${GUEST_DOOR_PORT}; unset: nowhere.`,
      },
      parseIngress,
    ),
  ),
  guestProxyProtocol: boolean('NETWORK_GUEST_PROXY_PROTOCOL', {
    about:
      'Whether NETWORK_GUEST_INGRESS takes the PROXY protocol, version 1, by which it learns which guest asks; if not, all guests of a host have its address.',
    default: false,
  }),
  availabilityZones: text('NETWORK_AVAILABILITY_ZONES', {
    about: 'Availability zones that this host is in, by commas.',
    default: 'nova',
  }),
};

export const dataPlaneSettings = {
  dataPlane: choice('NETWORK_DATA_PLANE', ['auto', 'ovn', 'user', 'simulated'], {
    about:
      "What carries packets: an OVN of its own where it can run, else guests' own QEMUs (auto), OVN or nothing, guests' own QEMUs, or a simulation.",
    default: 'auto',
  }),
  searchPath: text('PATH', { about: 'Folders that QEMU is looked for in.', default: '/usr/bin' }),
  mtu: integer('NETWORK_MTU', {
    about:
      'Bytes that a packet of a project network may have: those of the hosts, less the tunnel.',
    default: 1442,
    min: 68,
    max: 65_535,
  }),
  ...hostSettings,
  ovnNorthbound: optional(
    ovnAddress('NETWORK_OVN_NORTHBOUND', {
      about:
        "An OVN that runs already, by its northbound database, as tcp:192.0.2.10:6641; unset: one of the service's own.",
    }),
  ),
  ovnSouthbound: optional(
    ovnAddress('NETWORK_OVN_SOUTHBOUND', {
      about: 'The southbound database of the OVN that runs already; required with the other.',
    }),
  ),
  ovnListen: optional(
    setting(
      'NETWORK_OVN_LISTEN',
      'an IP address',
      {
        about:
          "Address at which other hosts reach the databases of the service's own OVN, on ports 6641 and 6642; unset: there are none.",
      },
      (value) => (isIP(value) > 0 ? value : undefined),
    ),
  ),
};

export type HostConfig = Values<typeof hostSettings>;

/** Where one of OVN's databases is. */
export function ovnAddress(
  env: string,
  options: { readonly about: string; readonly example?: string },
) {
  const type = 'tcp:<address>:<port> or unix:<path>';
  return setting(env, type, options, (value) =>
    /^(unix:\/.+|tcp:([\d.]+|\[[0-9a-f:]+\]):\d+)$/.test(value) ? value : undefined,
  );
}

/** @throws SettingError if an address is for a physical network that there is not */
export function physicalNetworksOf({
  physicalNetworks,
  uplinkAddresses,
}: Pick<HostConfig, 'physicalNetworks' | 'uplinkAddresses'>): string[] {
  const names = namesIn(physicalNetworks);
  const unknown = [...(uplinkAddresses?.keys() ?? [])].find((one) => !names.includes(one));
  if (unknown === undefined) return names;
  throw new SettingError(
    `NETWORK_UPLINK_ADDRESSES has an address for ${unknown}, which is not among NETWORK_PHYSICAL_NETWORKS`,
  );
}

/** @throws SettingError if one of the two is missing */
export function tunnelOf({
  tunnelDevice: device,
  tunnelAddress: address,
}: Pick<HostConfig, 'tunnelDevice' | 'tunnelAddress'>): Tunnel | undefined {
  if (device !== undefined && address !== undefined) return { device, address };
  if (device === undefined && address === undefined) return undefined;
  const [missing, given] = ['NETWORK_TUNNEL_DEVICE', 'NETWORK_TUNNEL_ADDRESS'];
  throw device === undefined ? needs(missing, given) : needs(given, missing);
}

export function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function needs(missing = '', given = ''): SettingError {
  return new SettingError(`${missing} is required where ${given} is set`);
}

/** @returns undefined for a text that is no `host:port` */
export function parseIngress(text: string): Ingress | undefined {
  const [, host, bracketed, port] =
    /^(?:([^\s:[\]/]+)|\[([\da-f:]+)\]):(\d{1,5})$/i.exec(text) ?? [];
  const number = Number(port);
  if (port === undefined || number < 1 || number > 65_535) return undefined;
  return { host: host ?? bracketed ?? '', port: number };
}

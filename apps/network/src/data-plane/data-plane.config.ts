/**
 * Settings of the data plane: those of any host, whether it runs the agent or the network service,
 * and those of a network service, which chooses the data plane.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
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

import {
  isInterfaceAddress,
  parsePhysicalDevices,
  parseUplinkAddresses,
} from './ovn/host/uplinks/uplink-settings.js';
import { GUEST_API_PORT, type Ingress } from './ovn/metadata/guest-api-proxy.js';
import { METADATA_ADDRESS } from './ovn/rows/metadata-rows.js';
import { parseServers } from './ovsdb/ovsdb-address.js';
import type { CertificateFiles } from './ovsdb/ovsdb-certificates.js';
import type { Tunnel } from './ovn/host/host-settings.js';

export const ovnFolder = folder('NETWORK_DATA_DIR', {
  about: "Folder for the data plane's files, such as OVN's databases. Each host has its own.",
  default: '/var/lib/cumulet/network',
  folder: 'network',
});

export const hostSettings = {
  dataDir: ovnFolder,
  host: text('CUMULET_HOST', {
    about: 'Name of this hypervisor host. Each host runs one worker with this name.',
    default: hostname(),
  }),
  physicalNetworks: text('NETWORK_PHYSICAL_NETWORKS', {
    about: "Physical networks for administrators' provider networks, separated by commas.",
    default: 'public',
  }),
  uplinkAddresses: optional(
    setting(
      'NETWORK_UPLINK_ADDRESSES',
      'name=IPv4 address/prefix, separated by commas',
      {
        about:
          "The host's own addresses on physical networks, for example public=172.24.4.1/24. Skipped where the host already has a route to that network.",
      },
      parseUplinkAddresses,
    ),
  ),
  physicalDevices: optional(
    setting(
      'NETWORK_PHYSICAL_DEVICES',
      'name=device or name=IPv4 CIDR, separated by commas',
      {
        about:
          'Devices of this host that lead to physical networks, by name or by the network that they have an address of, for example public=eth1 or public=203.0.113.0/24. The switch takes such a device, whose addresses then answer no more. The start fails if it does not exist.',
      },
      parsePhysicalDevices,
    ),
  ),
  tunnelDevice: optional(
    text('NETWORK_TUNNEL_DEVICE', {
      about:
        "Network device or bridge of this machine that leads to the cloud's other hosts; unset if there are none.",
    }),
  ),
  tunnelAddress: optional(
    setting(
      'NETWORK_TUNNEL_ADDRESS',
      'IPv4 address/prefix',
      {
        about:
          "This host's address for tunnels, for example 192.0.2.1/24. It must be unused and on the same network as those of the other hosts.",
      },
      (value) => (isInterfaceAddress(value) ? value : undefined),
    ),
  ),
  tapUid: integer('NETWORK_TAP_UID', {
    about:
      "UID of the user who may open guests' devices, unless binding:profile of the port has a tap_uid.",
    default: 65_534,
    min: 1,
    max: 0xfffffffe,
  }),
  metadataUrl: optional(
    url('NETWORK_METADATA_URL', {
      about:
        "Address of compute's metadata service, which guests reach at 169.254.169.254; if unset, they get a 503 there.",
    }),
  ),
  metadataSecret: optional(
    drawnKey(
      text('CUMULET_METADATA_SECRET', {
        about:
          'Secret shared with compute that signs the identity of the guest who asks; if unset, guests get a 503.',
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
        about: `Address that guests reach the cloud's API through, at http://${METADATA_ADDRESS}:${GUEST_API_PORT}; if unset, they cannot reach it.`,
      },
      parseIngress,
    ),
  ),
  guestProxyProtocol: boolean('NETWORK_GUEST_PROXY_PROTOCOL', {
    about:
      "Whether NETWORK_GUEST_INGRESS accepts version 1 of the PROXY protocol, which tells it the guest's address. If not, all guests of a host appear to have the host's address.",
    default: false,
  }),
  availabilityZones: text('NETWORK_AVAILABILITY_ZONES', {
    about: 'Availability zones that this host is in, separated by commas.',
    default: 'nova',
  }),
};

export const certificateSettings = {
  ovnPrivateKey: optional(
    text('NETWORK_OVN_PRIVATE_KEY', {
      about: "Path of the PEM file with the private key for OVN's databases at ssl: addresses.",
    }),
  ),
  ovnCertificate: optional(
    text('NETWORK_OVN_CERTIFICATE', {
      about: 'Path of the PEM file with the certificate of NETWORK_OVN_PRIVATE_KEY.',
    }),
  ),
  ovnAuthority: optional(
    text('NETWORK_OVN_CA', {
      about:
        "Path of the PEM file with OVN's own authority. Whoever has a certificate of it may read and change every network.",
    }),
  ),
};

export const dataPlaneSettings = {
  dataPlane: choice('NETWORK_DATA_PLANE', ['auto', 'ovn', 'user', 'simulated'], {
    about:
      "What carries packets: OVN if it can run here, else guests' own QEMUs (auto); OVN alone; guests' own QEMUs; or nothing, in a simulation.",
    default: 'auto',
  }),
  searchPath: text('PATH', { about: 'Folders in which QEMU is searched.', default: '/usr/bin' }),
  mtu: integer('NETWORK_MTU', {
    about:
      'MTU of project networks in bytes: that of the links between hosts, less the overhead of tunnels.',
    default: 1442,
    min: 68,
    max: 65_535,
  }),
  ...hostSettings,
  ovnNorthbound: optional(
    ovnAddress('NETWORK_OVN_NORTHBOUND', {
      about:
        'Northbound database of an existing OVN, for example tcp:192.0.2.10:6641, or all servers of its cluster; if unset, the service runs its own.',
    }),
  ),
  ovnSouthbound: optional(
    ovnAddress('NETWORK_OVN_SOUTHBOUND', {
      about: 'Southbound database of the existing OVN; required together with the northbound one.',
    }),
  ),
  ovnListen: optional(
    listenAddress({
      about:
        "Address at which other hosts reach the databases of the service's own OVN, on ports 6641 and 6642, by TLS if there is a certificate; unset if there are no other hosts.",
    }),
  ),
  ...certificateSettings,
};

export type HostConfig = Values<typeof hostSettings>;

/** One address, or those of a cluster's servers, as in `ovsdb-address.ts`. */
export function ovnAddress(
  env: string,
  options: { readonly about: string; readonly example?: string },
) {
  const type = 'tcp:<host>:<port>, ssl:<host>:<port> or unix:<path>, separated by commas';
  return setting(env, type, options, (value) =>
    parseServers(value)?.every((one) => !('path' in one) || isAbsolute(one.path)) === true
      ? value
      : undefined,
  );
}

/**
 * @returns undefined if none is set
 * @throws SettingError if some are set and others not
 */
export function certificatesOf({
  ovnPrivateKey: privateKey,
  ovnCertificate: certificate,
  ovnAuthority: authority,
}: Values<typeof certificateSettings>): CertificateFiles | undefined {
  if (privateKey !== undefined && certificate !== undefined && authority !== undefined)
    return { privateKey, certificate, authority };
  if (privateKey === undefined && certificate === undefined && authority === undefined)
    return undefined;
  const all = Object.values(certificateSettings).map(({ env }) => env);
  throw new SettingError(`${all.join(', ')} must be set together`);
}

export function listenAddress(options: { readonly about: string; readonly example?: string }) {
  return setting('NETWORK_OVN_LISTEN', 'an IP address', options, (value) =>
    isIP(value) > 0 ? value : undefined,
  );
}

/** @throws SettingError if an address or a device is for an unknown physical network, or both for one */
export function physicalNetworksOf({
  physicalNetworks,
  uplinkAddresses = new Map(),
  physicalDevices = new Map(),
}: Pick<HostConfig, 'physicalNetworks' | 'uplinkAddresses' | 'physicalDevices'>): string[] {
  const names = namesIn(physicalNetworks);
  const addresses = 'NETWORK_UPLINK_ADDRESSES has an address';
  const devices = 'NETWORK_PHYSICAL_DEVICES has a device';
  for (const [what, of] of [
    [addresses, uplinkAddresses],
    [devices, physicalDevices],
  ] as const) {
    const unknown = [...of.keys()].find((one) => !names.includes(one));
    if (unknown !== undefined)
      throw new SettingError(
        `${what} for ${unknown}, which is not among NETWORK_PHYSICAL_NETWORKS`,
      );
  }
  const twice = [...uplinkAddresses.keys()].find((one) => physicalDevices.has(one));
  if (twice === undefined) return names;
  throw new SettingError(
    `${devices} for ${twice}, on which this host has no address: remove it from NETWORK_UPLINK_ADDRESSES`,
  );
}

/** @throws SettingError if only one of the two settings is given */
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

/** @returns undefined unless the text is `host:port` */
export function parseIngress(text: string): Ingress | undefined {
  const [, host, bracketed, port] =
    /^(?:([^\s:[\]/]+)|\[([\da-f:]+)\]):(\d{1,5})$/i.exec(text) ?? [];
  const number = Number(port);
  if (port === undefined || number < 1 || number > 65_535) return undefined;
  return { host: host ?? bracketed ?? '', port: number };
}

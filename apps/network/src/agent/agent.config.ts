/**
 * The settings of a host of the data plane: of its agent, and of a network service that is a host
 * itself.
 */
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
  type Values,
} from '@cumulet/common/config/settings';
import { LOG_LEVELS } from '@cumulet/common/observe/logger';
import {
  isInterfaceAddress,
  parseUplinkAddresses,
} from '../data-plane/ovn/host/uplink-addresses.js';
import { GUEST_DOOR_PORT } from '../data-plane/ovn/metadata/guest-door.js';
import { parseIngress } from '../data-plane/ovn/metadata/ingress.js';
import { METADATA_ADDRESS } from '../data-plane/ovn/rows/metadata-rows.js';

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

export const agentSettings = {
  ...hostSettings,
  physicalNetworks: text('NETWORK_PHYSICAL_NETWORKS', {
    about: 'Physical networks that this host is on, by commas.',
    default: '',
  }),
  southbound: ovnAddress('NETWORK_OVN_SOUTHBOUND', {
    about: "OVN's southbound database, as tcp:192.0.2.10:6642.",
    example: 'tcp:127.0.0.1:6642',
  }),
  logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
    about: 'The least serious level that is logged.',
    default: 'info',
  }),
};

export type HostConfig = Values<typeof hostSettings>;
export type AgentConfig = Values<typeof agentSettings>;

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

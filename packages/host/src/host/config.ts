/** The settings of a host, read from the environment once. */
import { hostname } from 'node:os';
import { parseCidr } from '@cumulet/common/addresses/ip-address';
import {
  choice,
  integer,
  optional,
  setting,
  text,
  type Values,
} from '@cumulet/common/config/settings';
import { LOG_LEVELS } from '@cumulet/common/observe/logger';
import { MAX_SLOTS } from './slots.js';

/** Of hosts and of agents' containers alike. */
export const sharedSettings = {
  hostsDir: text('CUMULET_HOSTS_DIR', {
    about:
      'Folder that all hosts of a machine share, with a numbered folder for each; their agents find them there.',
    default: '/var/lib/cumulet/hosts',
  }),
  probePort: integer('CUMULET_PROBE_PORT', {
    about: 'Port of 127.0.0.1 at which a host, or the container of an agent, answers /readyz.',
    default: 8790,
    min: 1,
    max: 65_535,
  }),
  logLevel: choice('CUMULET_LOG_LEVEL', LOG_LEVELS, {
    about: 'The least severe level that is logged.',
    default: 'info',
  }),
};

/** The prefix length leaves room for an address of each slot. */
const LONGEST_PREFIX = 25;

export const hostSettings = {
  ...sharedSettings,
  slot: optional(
    integer('CUMULET_HOST_SLOT', {
      about: 'The slot that this host takes; by default, the lowest that is free.',
      min: 1,
      max: MAX_SLOTS,
    }),
  ),
  hostPrefix: setting(
    'CUMULET_HOST_PREFIX',
    'a name of lower-case letters, digits and hyphens',
    {
      about:
        "Beginning of hosts' names, which their slots' numbers end. Hosts of a cloud on several machines need one for each machine.",
      default: 'host',
    },
    (value) => (/^[a-z][a-z0-9-]{0,40}$/.test(value) ? value : undefined),
  ),
  address: text('CUMULET_HOST_ADDRESS', {
    about: "Name or IP address at which other containers reach this host, for guests' consoles.",
    default: hostname(),
  }),
  tunnelCidr: optional(
    setting(
      'CUMULET_TUNNEL_CIDR',
      `an IPv4 network of at most /${LONGEST_PREFIX}`,
      {
        about:
          "Network of the tunnels between hosts, for example 198.18.0.0/24. The host in slot N gets the tunnel address 10 + N there, on the device that has an address of that network; unset: the network agent's own settings.",
      },
      (value) => {
        const cidr = parseCidr(value);
        return cidr?.version === 4 && cidr.prefix <= LONGEST_PREFIX ? value : undefined;
      },
    ),
  ),
  agentsGroup: optional(
    integer('CUMULET_AGENTS_GROUP', {
      about:
        "Group, by number, whose members may bring agents aboard, which run as the host's user; unset: that user alone.",
      min: 0,
      max: 0xfffffffe,
    }),
  ),
  stopSeconds: integer('CUMULET_HOST_STOP_SECONDS', {
    about: 'Seconds that agents have to end once the host is asked to stop.',
    default: 8,
    min: 0,
    max: 600,
  }),
};

export type HostConfig = Values<typeof hostSettings>;

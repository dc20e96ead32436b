/** What an agent is told of the host that it runs on: settings that replace those of its own container. Pure. */
import { join } from 'node:path';
import type { NetworkInterfaceInfo } from 'node:os';
import { formatIp, parseCidr } from '@cumulet/common/addresses/ip-address';
import { tlsSettings } from '@cumulet/common/tls/tls';
import type { AgentKind } from '../door/agent-kinds.js';
import type { Environment } from '../door/messages.js';

/** A host, as its slot makes it. */
export interface Place {
  readonly host: string;
  /** The slot's folder, in which each agent has one of its own. */
  readonly folder: string;
  /** The name or IP address at which other containers reach the host. */
  readonly address: string;
  readonly tunnel?: { readonly device: string; readonly address: string } | undefined;
  /** The host's own, of which some replace the agent's. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Variables of the agent's container that mean nothing on the host. */
const LEFT_BEHIND = /^(PATH|HOME|HOSTNAME|PWD|OLDPWD|SHLVL|TERM|USER|LOGNAME|_|LD_.*)$/;
const OF_THE_HOST = ['PATH', 'HOME', 'HOSTNAME'] as const;

const FOLDERS: Readonly<Record<AgentKind, string>> = {
  compute: 'COMPUTE_DATA_DIR',
  network: 'NETWORK_DATA_DIR',
  loadbalancer: 'LOADBALANCER_DATA_DIR',
};

/** @param sent the environment of the agent's container */
export function environmentOf(kind: AgentKind, sent: Environment, place: Place): Environment {
  const own = OF_THE_HOST.flatMap((name) => {
    const value = place.environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(Object.entries(sent).filter(([name]) => !LEFT_BEHIND.test(name))),
    ...(Object.fromEntries(own) as Environment),
    CUMULET_HOST: place.host,
    [FOLDERS[kind]]: join(place.folder, kind),
    ...(kind === 'compute' && {
      COMPUTE_HOST_API_URL: `${schemeOf(sent)}://${place.address}:${sent['COMPUTE_PORT'] || '8774'}`,
    }),
    ...(kind === 'network' &&
      place.tunnel && {
        NETWORK_TUNNEL_DEVICE: place.tunnel.device,
        NETWORK_TUNNEL_ADDRESS: place.tunnel.address,
      }),
  };
}

function schemeOf(sent: Environment): 'http' | 'https' {
  return sent[tlsSettings.tlsCertificate.env] ? 'https' : 'http';
}

/** The first ones are for gateways and for what else the operator has there. */
const FIRST_TUNNEL = 10n;

/** @param cidr IPv4, at most /25 @returns the address of a slot's tunnels with its prefix length */
export function tunnelAddress(cidr: string, slot: number): string {
  const range = parseCidr(cidr);
  if (!range) throw new Error(`\`${cidr}\` is not a valid CIDR`);
  const { version, first, prefix } = range;
  return `${formatIp({ version, value: first + FIRST_TUNNEL + BigInt(slot) })}/${prefix}`;
}

/** The device that leads to the other hosts: the one with an address of their network. */
export function tunnelDevice(
  cidr: string,
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): string | undefined {
  const range = parseCidr(cidr);
  return Object.entries(interfaces).find(([, addresses = []]) =>
    addresses.some(({ cidr: own, family }) => {
      if (family !== 'IPv4' || own === null || !range) return false;
      const value = valueOf(own);
      return value !== undefined && range.first <= value && value <= range.last;
    }),
  )?.[0];
}

function valueOf(interfaceCidr: string): bigint | undefined {
  return parseCidr(`${interfaceCidr.split('/')[0] ?? ''}/32`)?.first;
}

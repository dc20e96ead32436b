/**
 * The settings of the services in one process: what is derived here and may be overridden, what a
 * person gave, and what the services need from one another, which is fixed.
 */
import { join } from 'node:path';
import type { Service } from '@cumulet/common/app/define-service';
import { fileVariable, type Setting } from '@cumulet/common/config/settings';
import { clustersSettings } from '@cumulet/clusters/config';
import { clustersService } from '@cumulet/clusters/service';
import { identityService } from '@cumulet/identity/service';
import { networkSettings } from '@cumulet/network/config';
import { orchestrationSettings } from '@cumulet/orchestration/config';
import { orchestrationService } from '@cumulet/orchestration/service';
import { formatIp, parseCidr } from '@cumulet/common/addresses/ip-address';
import type { Environment } from './config.js';
import { keysOf, type Secrets } from './secrets.js';
import { PHYSICAL_NETWORK } from './seed/networks.js';

export interface ServiceEnvironmentOptions {
  /** Absolute. */
  readonly dataDir: string;
  readonly listenHost: string;
  /** CIDR of the external network `public`; empty or absent without one. */
  readonly publicCidr?: string;
  readonly secrets: Secrets;
  /** The settings that a person gave. */
  readonly env: Environment;
  databaseUrl(service: string): string;
}

/** Per service: all share the machine's processors. */
const POOL_SIZE = '5';

/**
 * @param services identity first
 * @param at the cloud's address on this machine, the one that clients use, and where its ingress is told
 *   which guest asks
 * @returns the environment of all services
 */
export function serviceEnvironment(
  services: readonly Service[],
  options: ServiceEnvironmentOptions,
  at: { readonly local: string; readonly url: string; readonly guests: string },
): Environment {
  const { secrets, dataDir, listenHost, publicCidr = '', env } = options;
  const addressOf = (service: Service, base: string): string =>
    service.ownPort ? ownAddress(service, base, env) : base + service.path;
  const pairs = (of: (service: Service) => readonly [string, string]): Environment =>
    Object.fromEntries(services.map(of));
  const settings = services.flatMap((service) => Object.values<Setting<unknown>>(service.settings));
  const [, ...sisters] = services;
  const derived = {
    CUMULET_HOST: 'standalone',
    ...Object.fromEntries(
      settings.flatMap(({ env: name, folder }) => (folder ? [[name, join(dataDir, folder)]] : [])),
    ),
    ...pairs(({ settings }) => [settings.listenHost.env, listenHost]),
    ...pairs(({ settings }) => [settings.databasePoolSize.env, POOL_SIZE]),
    ...uplinkAddress(publicCidr, env),
    ...guestsWayIn(at.url, env),
  };
  const fixed = {
    CUMULET_ROLE: 'all',
    ...pairs(({ name, settings }) => [settings.databaseUrl.env, options.databaseUrl(name)]),
    ...pairs((service) => [service.settings.publicUrl.env, addressOf(service, at.url)]),
    CUMULET_SERVICES: sisters
      .map((service) => catalogEntry(service, addressOf(service, at.url)))
      .join(','),
    // Sister services need no detour through the public address.
    ...pairs((service) => [
      `CUMULET_${service.name.toUpperCase()}_URL`,
      addressOf(service, at.local),
    ]),
    NETWORK_METADATA_URL: `${at.local}/compute/metadata`,
    NETWORK_GUEST_INGRESS: at.guests,
    NETWORK_GUEST_PROXY_PROTOCOL: 'true',
    CUMULET_IDENTITY_PUBLIC_URL: `${at.url}/identity`,
    CUMULET_SERVICE_PASSWORD: secrets.servicePassword,
    ...Object.fromEntries(keysOf(services).map(({ name, env }) => [env, secrets[name]])),
    IDENTITY_ADMIN_PASSWORD: secrets.adminPassword,
    IDENTITY_DEMO_PASSWORD: secrets.demoPassword,
  };
  // A file with a secret that is fixed would contradict it.
  const contradicting = new Set(Object.keys(fixed).map(fileVariable));
  const given = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !contradicting.has(name),
  );
  return { ...derived, ...Object.fromEntries(given), ...fixed };
}

/** An entry of CUMULET_SERVICES: `compute:compute:nova=https://cloud/compute/v2.1`. */
function catalogEntry({ name, serviceType, catalog }: Service, url: string): string {
  const shown = catalog ?? { name };
  return `${name}:${serviceType}:${shown.name}=${url}${shown.path ?? ''}`;
}

/** The address of a service on its own port: the cloud's host, unless configured. */
function ownAddress({ port, settings }: Service, base: string, env: Environment): string {
  const { protocol, hostname } = new URL(base);
  const given = env[settings.publicUrl.env];
  if (given !== undefined) return given;
  return `${protocol}//${hostname}:${env[settings.port.env] ?? port}`;
}

/**
 * Nobody serves the link-local address of a network that is a simulation: whoever plays a guest there
 * goes by the address of everybody else.
 * @param cloudUrl the cloud's public address
 * @param env the settings that a person gave
 * @returns the services' settings, if they are others than by default
 */
function guestsWayIn(cloudUrl: string, env: Environment): Environment {
  const { dataPlane } = networkSettings;
  if (dataPlane.read(env[dataPlane.env]) !== 'simulated') return {};
  return {
    [orchestrationSettings.guestUrl.env]: cloudUrl + orchestrationService.path,
    [clustersSettings.guestUrl.env]: cloudUrl + clustersService.path,
    [clustersSettings.guestIdentityUrl.env]: cloudUrl + identityService.path,
  };
}

/**
 * @param publicCidr as CUMULET_PUBLIC_CIDR has it; empty for no such network
 * @param env the settings that a person gave
 * @returns the network service's setting, if there is such an address
 */
function uplinkAddress(publicCidr: string, env: Environment): Environment {
  const { physicalNetworks, physicalDevices, uplinkAddresses } = networkSettings;
  const names = physicalNetworks.read(env[physicalNetworks.env]).split(',');
  const cidr = parseCidr(publicCidr);
  // Smaller networks leave no floating IP.
  if (
    cidr?.version !== 4 ||
    cidr.prefix > 30 ||
    !names.some((one) => one.trim() === PHYSICAL_NETWORK)
  )
    return {};
  if (physicalDevices.read(env[physicalDevices.env])?.has(PHYSICAL_NETWORK)) return {};
  const address = formatIp({ version: 4, value: cidr.first + 1n });
  return { [uplinkAddresses.env]: `${PHYSICAL_NETWORK}=${address}/${cidr.prefix}` };
}

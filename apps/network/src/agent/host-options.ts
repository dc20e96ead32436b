/** From a host's settings to what its switch is started with. */
import { SettingError } from '@cumulet/common/config/settings';
import type { Tunnel } from '../data-plane/ovn/host/host-settings.js';
import type { HostConfig } from './agent.config.js';

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

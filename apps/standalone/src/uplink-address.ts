/** The machine's own address in the external network `public`: the gateway of its subnet. */
import { formatIp, parseCidr } from '@cumulet/common/addresses/ip-address';
import { networkSettings } from '@cumulet/network/config';
import type { Environment } from './config.js';
import { PHYSICAL_NETWORK } from './seed/public-network.js';

/**
 * @param publicCidr as CUMULET_PUBLIC_CIDR has it; empty for no such network
 * @param env the settings that a person gave
 * @returns the network service's setting, if there is such an address
 */
export function uplinkAddress(publicCidr: string, env: Environment): Environment {
  const { physicalNetworks, uplinkAddresses } = networkSettings;
  const names = physicalNetworks.read(env[physicalNetworks.env]).split(',');
  const cidr = parseCidr(publicCidr);
  // Of fewer addresses, none is left for a floating IP.
  if (
    cidr?.version !== 4 ||
    cidr.prefix > 30 ||
    !names.some((one) => one.trim() === PHYSICAL_NETWORK)
  )
    return {};
  const address = formatIp({ version: 4, value: cidr.first + 1n });
  return { [uplinkAddresses.env]: `${PHYSICAL_NETWORK}=${address}/${cidr.prefix}` };
}

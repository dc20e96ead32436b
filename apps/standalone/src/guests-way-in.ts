/** Where guests reach services from within their networks. */
import { clustersSettings } from '@cumulet/clusters/config';
import { clustersService } from '@cumulet/clusters/service';
import { identityService } from '@cumulet/identity/service';
import { networkSettings } from '@cumulet/network/config';
import { orchestrationSettings } from '@cumulet/orchestration/config';
import { orchestrationService } from '@cumulet/orchestration/service';
import type { Environment } from './config.js';

/**
 * Nobody serves the link-local address of a network that is a simulation: whoever plays a guest there
 * goes by the address of everybody else.
 * @param cloudUrl the cloud's public address
 * @param env the settings that a person gave
 * @returns the services' settings, if they are others than by default
 */
export function guestsWayIn(cloudUrl: string, env: Environment): Environment {
  const { dataPlane } = networkSettings;
  if (dataPlane.read(env[dataPlane.env]) !== 'simulated') return {};
  return {
    [orchestrationSettings.guestUrl.env]: cloudUrl + orchestrationService.path,
    [clustersSettings.guestUrl.env]: cloudUrl + clustersService.path,
    [clustersSettings.guestIdentityUrl.env]: cloudUrl + identityService.path,
  };
}

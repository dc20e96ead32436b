/** Where guests reach services from within their networks. */
import { networkSettings } from '@cumulet/network/config';
import { orchestrationSettings } from '@cumulet/orchestration/config';
import type { Environment } from './config.js';

/**
 * Nobody serves the link-local address of a network that is a simulation: whoever plays a guest there
 * goes by the address of everybody else.
 * @param orchestrationUrl the service's public address
 * @param env the settings that a person gave
 * @returns the orchestration service's setting, if it is another than by default
 */
export function guestsWayIn(orchestrationUrl: string, env: Environment): Environment {
  const { dataPlane } = networkSettings;
  return dataPlane.read(env[dataPlane.env]) === 'simulated'
    ? { [orchestrationSettings.guestUrl.env]: orchestrationUrl }
    : {};
}

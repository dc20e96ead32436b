/**
 * The base of Octavia's types. Public source: Octavia API reference, "Provisioning Status Codes".
 *
 * Always holds: a load balancer that is changing is immutable for a while, which is not a failure of
 * the resource that wants to change it.
 */
import type { Properties, SupportStatus } from '../../constraints/property-schema.js';
import type { RestApi, RestStates } from '../rest-resource.js';
import type { CallOptions } from '../service-calls.js';

const OPTIONS: CallOptions = {
  isBusy: ({ status, serviceMessage = '' }) => status === 409 && /immutable/i.test(serviceMessage),
};

export const BALANCER: SupportStatus = { status: 'SUPPORTED', version: '10.0.0' };

/** For types that administrators offer to users. */
export const OFFERED: SupportStatus = { status: 'SUPPORTED', version: '14.0.0' };

export const PROVISIONED: RestStates = {
  field: 'provisioning_status',
  ready: ['ACTIVE'],
  failed: ['ERROR'],
  gone: ['DELETED'],
  reason: ({ provisioning_status_reason: reason }) =>
    typeof reason === 'string' && reason !== '' ? reason : 'Unknown',
};

export function balancerApi(
  collection: string | ((properties: Properties) => string),
  entity: string,
): RestApi {
  const path: RestApi['collection'] =
    typeof collection === 'string'
      ? `/v2.0/lbaas/${collection}`
      : (properties) => `/v2.0/lbaas/${collection(properties)}`;
  return { service: 'loadBalancer', collection: path, entity, options: OPTIONS };
}

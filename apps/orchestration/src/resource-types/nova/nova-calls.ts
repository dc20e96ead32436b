/** Calls of the compute service. Public source: Nova, "REST API Version History". */
import type { ResourceScope } from '../resource-type.js';
import { part, ServiceCalls, type CallOptions } from '../service-calls.js';

/** The service still generates key pairs, and servers accept all properties. */
export const MICROVERSION = '2.90';

/** The last version in which a server without networks gets the project's only one. */
export const ANY_NETWORK = '2.36';

export function computeOptions(version = MICROVERSION): CallOptions {
  return { headers: { 'openstack-api-version': `compute ${version}` } };
}

export function computeCalls(scope: ResourceScope, version = MICROVERSION): ServiceCalls {
  return new ServiceCalls(scope, 'compute', computeOptions(version));
}

export function serverPath(id: string): string {
  return `/v2.1/servers/${part(id)}`;
}

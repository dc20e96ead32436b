/** How Magnum's types speak with the clusters service. Public source: Magnum API reference. */
import type { RestApi } from '../rest-resource.js';
import { ServiceCalls, type CallOptions } from '../service-calls.js';
import type { CallScope } from '../resource-type.js';

/** A later version would refuse, or default, what these types say in the words of this one. */
const OPTIONS: CallOptions = { headers: { 'OpenStack-API-Version': 'container-infra 1.11' } };

export function magnumApi(collection: 'clusters' | 'clustertemplates'): RestApi {
  return {
    service: 'clusters',
    collection: `/v1/${collection}`,
    entity: null,
    id: 'uuid',
    options: OPTIONS,
  };
}

export function magnumCalls(scope: CallScope): ServiceCalls {
  return new ServiceCalls(scope, 'clusters', OPTIONS);
}

/** A router's way out as a thing of its own, which templates had before the router's own property. */
import { named, olderName } from '../declare.js';
import { expressionOf, isSameExpression, ofType } from '../implicit-requires.js';
import { asObject, textIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';
import type { JsonObject } from '../../json/json.js';

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

export const routerGateway: ResourceType = {
  name: 'OS::Neutron::RouterGateway',
  description: "A router's way out to an external network.",
  support: {
    status: 'HIDDEN',
    version: '5.0.0',
    message: "Use the router's property external_gateway_info.",
  },
  properties: {
    router_id: named('neutron.router', 'The router.', { required: true }),
    network_id: olderName('network', '9.0.0', 'neutron.network'),
    network: named('neutron.network', 'The external network.', { required: true }),
  },
  attributes: {},

  /** Interfaces of the router, and subnets of the external network. */
  implicitRequires(one, all) {
    const router = expressionOf(one, 'router_id');
    const network = expressionOf(one, 'network', 'network_id');
    const interfaces = ofType(all, 'OS::Neutron::RouterInterface').filter(([, other]) =>
      isSameExpression(expressionOf(other, 'router', 'router_id'), router),
    );
    const subnets = ofType(all, 'OS::Neutron::Subnet').filter(([, other]) =>
      isSameExpression(expressionOf(other, 'network', 'network_id'), network),
    );
    return [...interfaces, ...subnets].map(([name]) => name);
  },

  async create(scope) {
    const router = textIn(scope.properties, 'router_id') ?? '';
    const network = textIn(scope.properties, 'network') ?? '';
    const body = { router: { external_gateway_info: { network_id: network } } };
    await calls(scope).put(`/v2.0/routers/${part(router)}`, body);
    return { physicalId: `${router}:${network}` };
  },

  async remove(scope) {
    const gateway = await find(scope);
    if (!gateway) return;
    const body = { router: { external_gateway_info: {} } };
    await calls(scope).put(`/v2.0/routers/${part(readId(scope).router)}`, body);
  },

  read: find,
};

function readId({ row }: ExistingScope): { readonly router: string; readonly network: string } {
  const [router = '', network = ''] = row.physicalId.split(':');
  return { router, network };
}

/** The gateway, unless the router has gone, or has another. */
async function find(scope: ExistingScope): Promise<JsonObject | undefined> {
  const { router, network } = readId(scope);
  const answer = await calls(scope).find(`/v2.0/routers/${part(router)}`);
  const gateway = asObject(asObject(answer?.['router'])?.['external_gateway_info']);
  return gateway?.['network_id'] === network ? gateway : undefined;
}

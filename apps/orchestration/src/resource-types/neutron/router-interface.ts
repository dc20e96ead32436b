/** A router's foot in a subnet. Public source: Networking API reference, "Add interface to router". */
import { named, olderName } from '../declare.js';
import { textIn, type Fields } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';
import { checkApart, checkSome } from './network-type.js';
import type { Properties } from '../../constraints/property-schema.js';

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

export const routerInterface: ResourceType = {
  name: 'OS::Neutron::RouterInterface',
  description: "A router's place in a subnet, or at a port.",
  properties: {
    router: named('neutron.router', 'The router.', { required: true }),
    router_id: olderName('router', '6.0.0', 'neutron.router'),
    subnet_id: olderName('subnet', '5.0.0', 'neutron.subnet'),
    subnet: named('neutron.subnet', 'The subnet whose gateway it becomes; or else give a port.'),
    port_id: olderName('port', '6.0.0', 'neutron.port'),
    port: named('neutron.port', 'The port that it takes; or else give a subnet.', {
      since: '2015.1',
    }),
  },
  attributes: {},

  validate(properties) {
    checkApart(properties, 'subnet', 'port');
    checkSome(properties, 'subnet', 'port');
  },

  async create(scope) {
    const router = textIn(scope.properties, 'router') ?? '';
    const at = placeOf(scope.properties);
    const [field, id] = Object.entries(at)[0] as readonly [string, string];
    const physicalId = `${router}:${field}=${id}`;
    // Adding has no key: what was asked for before, and is there, is its own.
    if (scope.row.data['asked'] === true && (await isInterfaceThere(scope, router, at)))
      return { physicalId };
    await scope.keep({ ...scope.row.data, asked: true });
    await calls(scope).put(`/v2.0/routers/${part(router)}/add_router_interface`, at);
    return { physicalId };
  },

  async remove(scope) {
    const { router, at } = readId(scope.row.physicalId);
    if (!(await isInterfaceThere(scope, router, at))) return;
    await calls(scope).put(`/v2.0/routers/${part(router)}/remove_router_interface`, at);
  },

  async read(scope: ExistingScope) {
    const { router, at } = readId(scope.row.physicalId);
    return (await isInterfaceThere(scope, router, at)) ? { router_id: router, ...at } : undefined;
  },
};

type Place = { readonly subnet_id: string } | { readonly port_id: string };

function placeOf(properties: Properties): Place {
  const subnet = textIn(properties, 'subnet');
  return subnet === undefined
    ? { port_id: textIn(properties, 'port') ?? '' }
    : { subnet_id: subnet };
}

/** @param physicalId `<router>:subnet_id=<subnet>` */
function readId(physicalId: string): { readonly router: string; readonly at: Place } {
  const [router = '', field = '', id = ''] = physicalId.split(/[:=]/);
  return { router, at: field === 'port_id' ? { port_id: id } : { subnet_id: id } };
}

/** Whether a router is joined there. */
export async function isInterfaceThere(
  scope: ResourceScope,
  router: string,
  at: Place,
): Promise<boolean> {
  const query =
    'port_id' in at
      ? { id: at.port_id, device_id: router }
      : { device_id: router, fixed_ips: `subnet_id=${at.subnet_id}` };
  const { ports } = (await calls(scope).get('/v2.0/ports', query)) as Fields;
  return Array.isArray(ports) && ports.length > 0;
}

/**
 * What a floating IP needs besides what it names: the service only leads an address to a port that a
 * router with a way out can reach. Public source: Heat, `neutron/floatingip.py`.
 */
import { ownOf } from '../../json/json.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import {
  entryOf,
  expressionOf,
  isSameExpression,
  itemsOf,
  ofType,
  referredBy,
} from '../implicit-requires.js';

const SUBNET = 'OS::Neutron::Subnet';

type Definitions = Readonly<Record<string, ResourceDefinition>>;

/** Routers and gateways that lead to the floating IP's network. */
export function waysOut(one: ResourceDefinition, all: Definitions): readonly string[] {
  const network = expressionOf(one, 'floating_network', 'floating_network_id');
  const gateways = ofType(all, 'OS::Neutron::RouterGateway').filter(([, other]) =>
    isSameExpression(expressionOf(other, 'network', 'network_id'), network),
  );
  const routers = ofType(all, 'OS::Neutron::Router').filter(([, other]) =>
    isSameExpression(entryOf(expressionOf(other, 'external_gateway_info'), 'network'), network),
  );
  return [...gateways, ...routers].map(([name]) => name);
}

/** Interfaces in subnets of the ports that a resource of the template refers to. */
export function interfacesOf(one: ResourceDefinition, all: Definitions): readonly string[] {
  const referred = new Set([...one.requires, ...referredBy(one.properties)]);
  const ports = ofType(all, 'OS::Neutron::Port').filter(([name]) => referred.has(name));
  return ofType(all, 'OS::Neutron::RouterInterface')
    .filter(([, other]) => ports.some(([, port]) => isIn(port, other, all)))
    .map(([name]) => name);
}

/** A port without a subnet of its own may be in any of its network's. */
function isIn(port: ResourceDefinition, at: ResourceDefinition, all: Definitions): boolean {
  const subnet = expressionOf(at, 'subnet', 'subnet_id');
  const addresses = itemsOf(expressionOf(port, 'fixed_ips'));
  const subnets = addresses.map((address) => entryOf(address, 'subnet', 'subnet_id'));
  if (subnets.some((one) => one !== undefined))
    return subnets.some((one) => isSameExpression(one, subnet));
  const network = expressionOf(port, 'network', 'network_id');
  const owners = referredBy(subnet)
    .flatMap((name) => ownOf(all, name) ?? [])
    .filter(({ implementation: made }) => made.kind === 'type' && made.type === SUBNET);
  return owners.every((owner) =>
    isSameExpression(expressionOf(owner, 'network', 'network_id'), network),
  );
}

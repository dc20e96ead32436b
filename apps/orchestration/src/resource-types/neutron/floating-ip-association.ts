/** That a floating IP of its own leads to a port. */
import type { JsonObject } from '../../json/json.js';
import { custom, named, text } from '../declare.js';
import { asObject, textIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';
import { interfacesOf } from './floating-ip-requires.js';
import type { Properties } from '../../constraints/property-schema.js';

export const floatingIpAssociation: ResourceType = {
  name: 'OS::Neutron::FloatingIPAssociation',
  description: 'That a floating IP leads to a port.',
  properties: {
    floatingip_id: text('The floating IP.', { required: true, updatable: true }),
    port_id: named('neutron.port', 'The port that it leads to.', {
      required: true,
      updatable: true,
    }),
    fixed_ip_address: text('The address of that port, where it has several.', {
      updatable: true,
      constraints: [custom('ip_addr')],
    }),
  },
  attributes: {},
  implicitRequires: interfacesOf,

  async create(scope) {
    await associate(scope);
    return { physicalId: scope.row.id };
  },

  async update(scope, { before }) {
    const former = idIn(before);
    if (former !== idIn(scope.properties)) await leave(scope, before);
    await associate(scope);
    return {};
  },

  remove: (scope) => leave(scope, scope.properties),

  read: (scope: ExistingScope) => find(scope, scope.properties),
};

function idIn(properties: Properties): string {
  return textIn(properties, 'floatingip_id') ?? '';
}

const path = (properties: Properties): string => `/v2.0/floatingips/${part(idIn(properties))}`;

async function associate(scope: ResourceScope): Promise<void> {
  const { properties } = scope;
  const address = textIn(properties, 'fixed_ip_address');
  await new ServiceCalls(scope, 'network').put(path(properties), {
    floatingip: {
      port_id: textIn(properties, 'port_id') ?? null,
      ...(address === undefined ? {} : { fixed_ip_address: address }),
    },
  });
}

/** It leads nowhere, unless it has been given to another port since. */
async function leave(scope: ResourceScope, properties: Properties): Promise<void> {
  if (!(await find(scope, properties))) return;
  const body = { floatingip: { port_id: null } };
  await new ServiceCalls(scope, 'network').put(path(properties), body);
}

/** The floating IP as far as it leads to the port of these properties. */
async function find(scope: ResourceScope, properties: Properties): Promise<JsonObject | undefined> {
  const answer = await new ServiceCalls(scope, 'network').find(path(properties));
  const floatingIp = asObject(answer?.['floatingip']);
  return floatingIp?.['port_id'] === textIn(properties, 'port_id') ? floatingIp : undefined;
}

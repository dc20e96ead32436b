import type { Properties, PropertySchemas } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import {
  attribute,
  custom,
  flag,
  listOf,
  map,
  mapOf,
  named,
  olderName,
  oneOf,
  tags,
  text,
} from '../declare.js';
import { expressionOf, isSameExpression, ofType } from '../implicit-requires.js';
import {
  asObject,
  asObjects,
  asText,
  flagIn,
  given,
  isGiven,
  mapIn,
  mapsIn,
  textIn,
  textsIn,
  withoutNulls,
  type Fields,
} from '../property-values.js';
import { ReplacementNeeded } from '../resource-type.errors.js';
import type { Change, ExistingScope, ResourceType, Updated } from '../resource-type.js';
import { restResource, type RestAttribute } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';
import { BUILT, changesTags, checkSpecs, fixedIpOf, idByName, networkApi } from './network-type.js';

const attributes: Readonly<Record<string, RestAttribute>> = {
  admin_state_up: attribute('string', 'Whether the port carries packets.'),
  device_id: attribute('string', 'The ID of the device that it belongs to.'),
  device_owner: attribute('string', 'The owner of the port, such as network:dhcp.'),
  fixed_ips: attribute('list', 'The addresses.'),
  mac_address: attribute('string', 'Its MAC address.'),
  name: attribute('string', 'The name of the port.'),
  network_id: attribute('string', 'The network that it is on.'),
  security_groups: attribute('list', 'The security groups that it is in.'),
  status: attribute('string', 'The status of the port.'),
  tenant_id: attribute('string', 'The ID of the project that owns it.'),
  allowed_address_pairs: attribute('list', 'What it may send from besides its own addresses.'),
  subnets: {
    ...attribute('list', 'The subnets of its addresses, with all that is known of them.'),
    from: async ({ fixed_ips: fixedIps }, _scope, calls) => {
      const ids = asObjects(fixedIps).map(({ subnet_id: id }) => asText(id));
      const shown = ids.map((id) => calls.get(`/v2.0/subnets/${part(id)}`));
      return (await Promise.all(shown)).map(({ subnet = null }) => subnet);
    },
  },
  port_security_enabled: attribute('boolean', 'Whether it is held to its own addresses.', '5.0.0'),
  qos_policy_id: attribute('string', 'The QoS policy of its traffic.', '6.0.0'),
  dns_assignment: attribute('map', 'Its addresses with the names that they have.', '7.0.0'),
  network: {
    ...attribute('map', 'The network that it is on, with all that is known of it.', '11.0.0'),
    from: async ({ network_id: id }, _scope, calls) =>
      (await calls.get(`/v2.0/networks/${part(asText(id))}`))['network'],
  },
  propagate_uplink_status: attribute('boolean', 'Whether it goes down with its uplink.', '15.0.0'),
};

/** Properties that OS::Neutron::Port shares with the ports of OS::Nova::Server. */
export const EXTRA_PORT_PROPERTIES: PropertySchemas = {
  value_specs: map('Further fields of the request.', { default: {}, updatable: true }),
  admin_state_up: flag('Whether the port carries packets.', { default: true, updatable: true }),
  mac_address: text('Its MAC address; by default one that is free.', {
    constraints: [custom('mac_addr')],
  }),
  allowed_address_pairs: listOf(
    mapOf(
      {
        mac_address: text('A MAC address.', { constraints: [custom('mac_addr')] }),
        ip_address: text('An address or a block.', {
          required: true,
          constraints: [custom('ip_or_cidr')],
        }),
      },
      'A pair.',
    ),
    'What it may send from besides its own addresses.',
    { updatable: true },
  ),
  'binding:vnic_type': text('The type of the virtual NIC.', {
    constraints: [
      oneOf(
        'normal',
        'direct',
        'macvtap',
        'direct-physical',
        'baremetal',
        'virtio-forwarder',
        'smart-nic',
      ),
    ],
    since: '2015.1',
    updatable: true,
    default: 'normal',
  }),
  port_security_enabled: flag('Whether it is held to its own addresses.', {
    updatable: true,
    since: '5.0.0',
  }),
  qos_policy: named('neutron.qos_policy', 'The QoS policy of its traffic.', {
    updatable: true,
    since: '6.0.0',
  }),
  propagate_uplink_status: flag('Whether it goes down with its uplink.', {
    updatable: true,
    since: '15.0.0',
  }),
  no_fixed_ips: flag('Whether it has no addresses at all.', {
    updatable: true,
    since: '16.0.0',
    default: false,
  }),
};

const plain = restResource({
  name: 'OS::Neutron::Port',
  description: 'A place on a network where something is plugged in, with its addresses.',
  api: networkApi('port'),
  properties: {
    name: text('The name of the port.', { updatable: true }),
    network_id: olderName('network', '5.0.0', 'neutron.network'),
    network: named('neutron.network', 'The network that it is on.', {
      required: true,
      since: '2014.2',
    }),
    device_id: text('The ID of the device that it belongs to.', { updatable: true, default: '' }),
    device_owner: text('The owner of the port, such as network:dhcp.', {
      updatable: true,
      default: '',
    }),
    fixed_ips: listOf(
      mapOf(
        {
          subnet_id: olderName('subnet', '5.0.0', 'neutron.subnet'),
          subnet: named('neutron.subnet', 'A subnet to take an address from.', {
            since: '2014.2',
          }),
          ip_address: text('An address.', { constraints: [custom('ip_addr')] }),
        },
        'An address, or where to take one from.',
      ),
      'Its addresses; by default one of each version that its network has.',
      { updatable: true },
    ),
    security_groups: listOf(
      named('neutron.security_group', 'A security group.'),
      'The security groups that it is in; by default the default one of its project.',
      { updatable: true },
    ),
    replacement_policy: text('Whether each update replaces the port.', {
      default: 'AUTO',
      constraints: [oneOf('REPLACE_ALWAYS', 'AUTO')],
      updatable: true,
      support: { status: 'HIDDEN', version: '9.0.0' },
    }),
    dns_name: text('Its name on its network.', {
      updatable: true,
      constraints: [custom('dns_name')],
      since: '7.0.0',
    }),
    tags: tags('port'),
    ...EXTRA_PORT_PROPERTIES,
  },
  attributes,
  validate(properties) {
    checkSpecs(properties);
    if ((mapsIn(properties, 'fixed_ips') ?? []).length > 0 && flagIn(properties, 'no_fixed_ips'))
      throw new PropertyError(
        'fixed_ips',
        'Cannot define the following properties at the same time: fixed_ips, no_fixed_ips.',
      );
  },
  /** It may get an address of any subnet of its network. */
  implicitRequires(one, all) {
    const network = expressionOf(one, 'network', 'network_id');
    return ofType(all, 'OS::Neutron::Subnet')
      .filter(([, subnet]) =>
        isSameExpression(expressionOf(subnet, 'network', 'network_id'), network),
      )
      .map(([name]) => name);
  },
  fields: {
    network: 'network_id',
    qos_policy: 'qos_policy_id',
    fixed_ips: null,
    no_fixed_ips: null,
    replacement_policy: null,
  },
  body: (properties) => ({
    ...addressesOf(properties),
    allowed_address_pairs: mapsIn(properties, 'allowed_address_pairs')?.map(withoutNulls),
  }),
  states: BUILT,
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    retained: ['fixed_ips', 'security_groups', 'port_security_enabled'],
    cleared: { allowed_address_pairs: [], dns_name: '' },
    async aside(scope, change, calls) {
      await changesTags('ports')(scope, change, calls);
      await givesDefaultGroup(scope, change, calls);
    },
  },
});

/** An empty list is left out, because the service's default is meant. */
function addressesOf(properties: Properties): Fields {
  if (flagIn(properties, 'no_fixed_ips')) return { fixed_ips: [] };
  const addresses = mapsIn(properties, 'fixed_ips') ?? [];
  return addresses.length > 0 ? { fixed_ips: addresses.map(fixedIpOf) } : {};
}

/** Removing all groups restores the service's default, the project's default group. */
async function givesDefaultGroup(
  { row, properties }: ExistingScope,
  { changed, before }: Change,
  calls: ServiceCalls,
): Promise<void> {
  const hadGroups = textsIn(before, 'security_groups') !== undefined;
  if (!changed.has('security_groups') || !hadGroups || isGiven(properties, 'security_groups'))
    return;
  const kind = { plural: 'security-groups', key: 'security_groups' };
  const id = await idByName(calls, kind, 'default', 'security_groups');
  await calls.put(`/v2.0/ports/${part(row.physicalId)}`, { port: { security_groups: [id] } });
}

export const port: ResourceType = {
  ...plain,
  async update(scope, change): Promise<Updated> {
    if (textIn(scope.properties, 'replacement_policy') === 'REPLACE_ALWAYS')
      throw new ReplacementNeeded('its replacement_policy is REPLACE_ALWAYS');
    return (await plain.update?.(scope, change)) ?? {};
  },

  /** Frees its addresses for the replacement. */
  async prepareForReplacement(scope) {
    const calls = new ServiceCalls(scope, 'network');
    const path = pathOf(scope);
    const shown = asObject((await calls.find(path))?.['port']);
    if (!shown) return;
    const addresses = asObjects(shown['fixed_ips']);
    if (addresses.length > 0) await scope.keep({ ...scope.row.data, addresses });
    await calls.put(path, { port: { fixed_ips: [] } });
  },

  async restoreReplaced(scope) {
    const { addresses = [], ...data } = scope.row.data;
    if (asObjects(addresses).length === 0) return;
    await new ServiceCalls(scope, 'network').put(pathOf(scope), {
      port: { fixed_ips: asObjects(addresses) },
    });
    await scope.keep(data);
  },
};

function pathOf({ row }: ExistingScope): string {
  return `/v2.0/ports/${part(row.physicalId)}`;
}

export function extraPortFields(properties: Properties): Fields {
  return {
    ...mapIn(properties, 'value_specs'),
    ...given(properties, 'admin_state_up', 'mac_address', 'binding:vnic_type'),
    ...given(properties, 'port_security_enabled', 'propagate_uplink_status'),
    allowed_address_pairs: mapsIn(properties, 'allowed_address_pairs')?.map(withoutNulls),
    qos_policy_id: textIn(properties, 'qos_policy'),
  };
}

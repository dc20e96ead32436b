import { oneOf, text } from '../declare.js';
import { textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { ServiceCalls } from '../service-calls.js';
import { idByName, networkApi } from './network-type.js';
import { PropertyError } from '../../constraints/property.errors.js';

const SHARED = 'access_as_shared';
const EXTERNAL = 'access_as_external';

const KINDS: Readonly<Record<string, { plural: string; key: string; actions: readonly string[] }>> =
  {
    network: { plural: 'networks', key: 'networks', actions: [SHARED, EXTERNAL] },
    qos_policy: { plural: 'qos/policies', key: 'policies', actions: [SHARED] },
    security_group: { plural: 'security-groups', key: 'security_groups', actions: [SHARED] },
    address_scope: { plural: 'address-scopes', key: 'address_scopes', actions: [SHARED] },
    subnetpool: { plural: 'subnetpools', key: 'subnetpools', actions: [SHARED] },
    address_group: { plural: 'address-groups', key: 'address_groups', actions: [SHARED] },
  };

const plain = restResource({
  name: 'OS::Neutron::RBACPolicy',
  description: 'That another project may use a thing of the network service.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: networkApi('rbac_policy', 'rbac-policies'),
  properties: {
    object_type: text('What kind of thing it is.', {
      required: true,
      constraints: [oneOf(...Object.keys(KINDS))],
    }),
    target_tenant: text('The project that may use it; * for all.', {
      required: true,
      updatable: true,
    }),
    action: text('What that project may do.', {
      required: true,
      constraints: [oneOf(SHARED, EXTERNAL)],
    }),
    object_id: text('The thing, by id or name.', { required: true }),
    tenant_id: text('The project that owns the policy; for administrators.'),
  },
  attributes: {},
  validate(properties) {
    const [kind = '', action = ''] = ['object_type', 'action'].map((name) =>
      textIn(properties, name),
    );
    const allowed = KINDS[kind]?.actions ?? [];
    if (!allowed.includes(action))
      throw new PropertyError(
        'action',
        `Invalid action "${action}" for object type ${kind}. Valid actions: ${allowed.join(', ')}`,
      );
  },
  change: { method: 'PUT', createOnly: ['object_id'] },
});

export const rbacPolicy: ResourceType = {
  ...plain,
  async create(scope) {
    const kind = KINDS[textIn(scope.properties, 'object_type') ?? ''];
    const name = textIn(scope.properties, 'object_id') ?? '';
    const calls = new ServiceCalls(scope, 'network');
    const id = kind ? await idByName(calls, kind, name, 'object_id') : name;
    return plain.create({ ...scope, properties: { ...scope.properties, object_id: id } });
  },
};

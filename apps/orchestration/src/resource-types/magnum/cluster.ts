import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { attribute, custom, integer, named, range, text, UPDATABLE } from '../declare.js';
import { asText, given, textIn } from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { magnumApi, magnumCalls } from './magnum-api.js';

const NODES = { default: 1, updatable: true, constraints: [range(1)] } as const;

/** Properties that a patch replaces. */
const PATCHED = ['node_count', 'master_count', 'discovery_url', 'create_timeout'];

const plain = restResource({
  name: 'OS::Magnum::Cluster',
  description: 'Servers that run containers together.',
  support: { status: 'SUPPORTED', version: '9.0.0' },
  api: magnumApi('clusters'),
  properties: {
    name: text('The name of the cluster.'),
    cluster_template: named('magnum.cluster_template', 'What it is made from.', {
      required: true,
    }),
    keypair: text('The key pair that may log in.', { constraints: [custom('nova.keypair')] }),
    node_count: integer('How many nodes it has.', NODES),
    master_count: integer('How many masters it has.', NODES),
    discovery_url: text('Where its nodes find each other.', UPDATABLE),
    create_timeout: integer('Minutes that its creation may take; 0 is without limit.', {
      default: 60,
      updatable: true,
      constraints: [range(0)],
    }),
  },
  attributes: {
    api_address: attribute('string', 'Where its API is reached.'),
    stack_id: attribute('string', 'The stack that it is made of.'),
    coe_version: attribute('string', 'The version of what runs its containers.'),
    master_addresses: attribute('list', 'Addresses of its masters.'),
    status: attribute('string', 'Its status.'),
    master_count: attribute('integer', 'How many masters it has.'),
    node_addresses: attribute('list', 'Addresses of its nodes.'),
    status_reason: attribute('string', 'Why it has its status.'),
    node_count: attribute('integer', 'How many nodes it has.'),
    name: attribute('string', 'Its name.'),
    container_version: attribute('string', 'The version of its containers.'),
    discovery_url: attribute('string', 'Where its nodes find each other.'),
    cluster_template_id: attribute('string', 'What it is made from.'),
    keypair: attribute('string', 'The key pair that may log in.'),
    create_timeout: attribute('integer', 'Minutes that its creation may take.'),
  },
  body: (properties, scope) => ({
    ...given(properties, 'keypair', ...PATCHED),
    name: nameOf(properties, scope),
    cluster_template_id: textIn(properties, 'cluster_template'),
  }),
  states: {
    field: 'status',
    ready: ['CREATE_COMPLETE', 'UPDATE_COMPLETE'],
    failed: ['CREATE_FAILED', 'UPDATE_FAILED', 'DELETE_FAILED'],
    gone: ['DELETE_COMPLETE'],
    reason: ({ status_reason: reason }) => asText(reason) || 'Unknown',
  },
  goesLater: true,
});

const pathOf = ({ row }: ExistingScope): string => `/v1/clusters/${part(row.physicalId)}`;

export const cluster: ResourceType = {
  ...plain,
  passesTrustOn: true,

  async update(scope, { before }) {
    const patch: JsonObject[] = PATCHED.filter(
      (name) => !isSame(before[name], scope.properties[name]),
    ).map((name) => ({ op: 'replace', path: `/${name}`, value: scope.properties[name] ?? null }));
    if (patch.length > 0) await magnumCalls(scope).patch(pathOf(scope), patch);
    return { data: { ...scope.row.data, updated: patch.length > 0 } };
  },

  /** Its status is still that of its creation until the service has begun. */
  async isUpdated(scope) {
    if (scope.row.data['updated'] !== true) return true;
    const shown = await magnumCalls(scope).get(pathOf(scope));
    const status = asText(shown['status']);
    if (status.endsWith('_FAILED'))
      throw new ResourceInErrorError(status, textIn(shown, 'status_reason') ?? 'Unknown');
    return status === 'UPDATE_COMPLETE';
  },
};

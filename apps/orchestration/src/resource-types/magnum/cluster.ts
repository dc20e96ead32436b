import { PropertyError } from '../../constraints/property.errors.js';
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import {
  attribute,
  custom,
  flag,
  integer,
  map,
  named,
  oneOf,
  range,
  text,
  UPDATABLE,
} from '../declare.js';
import { asText, textIn } from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { CallScope, ExistingScope, ResourceType } from '../resource-type.js';
import { restResource, type RestApi } from '../rest-resource.js';
import { part, ServiceCalls, type CallOptions } from '../service-calls.js';

const NODES = { default: 1, updatable: true, constraints: [range(1)] } as const;

const PATCHED = ['node_count', 'master_count', 'discovery_url', 'create_timeout'];

/** Later versions reject, or set defaults for, properties of this one. */
const OPTIONS: CallOptions = { headers: { 'OpenStack-API-Version': 'container-infra 1.11' } };

const plainCluster = restResource({
  name: 'OS::Magnum::Cluster',
  description: 'Servers that run containers together.',
  support: { status: 'SUPPORTED', version: '9.0.0' },
  api: magnumApi('clusters'),
  properties: {
    name: text('The name of the cluster.'),
    cluster_template: named('magnum.cluster_template', 'The cluster template.', {
      required: true,
    }),
    keypair: text('The key pair that may log in.', { constraints: [custom('nova.keypair')] }),
    node_count: integer('The number of nodes.', NODES),
    master_count: integer('The number of masters.', NODES),
    discovery_url: text('The discovery URL of its nodes.', UPDATABLE),
    create_timeout: integer('Minutes that its creation may take; 0 is without limit.', {
      default: 60,
      updatable: true,
      constraints: [range(0)],
    }),
  },
  attributes: {
    api_address: attribute('string', 'The address of its API.'),
    stack_id: attribute('string', 'The stack that it is made of.'),
    coe_version: attribute('string', 'The version of the container orchestration engine.'),
    master_addresses: attribute('list', 'Addresses of its masters.'),
    status: attribute('string', 'The status.'),
    master_count: attribute('integer', 'The number of masters.'),
    node_addresses: attribute('list', 'Addresses of its nodes.'),
    status_reason: attribute('string', 'The reason for the status.'),
    node_count: attribute('integer', 'The number of nodes.'),
    name: attribute('string', 'The name.'),
    container_version: attribute('string', 'The version of its containers.'),
    discovery_url: attribute('string', 'The discovery URL of its nodes.'),
    cluster_template_id: attribute('string', 'The cluster template.'),
    keypair: attribute('string', 'The key pair that may log in.'),
    create_timeout: attribute('integer', 'Minutes that its creation may take.'),
  },
  fields: { cluster_template: 'cluster_template_id' },
  states: {
    field: 'status',
    ready: ['CREATE_COMPLETE', 'UPDATE_COMPLETE'],
    failed: ['CREATE_FAILED', 'UPDATE_FAILED', 'DELETE_FAILED'],
    gone: ['DELETE_COMPLETE'],
    reason: ({ status_reason: reason }) => asText(reason) || 'Unknown',
  },
  deletesAsynchronously: true,
});

const pathOf = ({ row }: ExistingScope): string => `/v1/clusters/${part(row.physicalId)}`;

export const cluster: ResourceType = {
  ...plainCluster,
  passesTrustOn: true,

  async update(scope, { before }) {
    const patch: JsonObject[] = PATCHED.filter(
      (name) => !isSame(before[name], scope.properties[name]),
    ).map((name) => ({ op: 'replace', path: `/${name}`, value: scope.properties[name] ?? null }));
    if (patch.length > 0) await magnumCalls(scope).patch(pathOf(scope), patch);
    return { data: { ...scope.row.data, updated: patch.length > 0 } };
  },

  /** Until the service has begun, its status is still that of the creation. */
  async isUpdated(scope) {
    if (scope.row.data['updated'] !== true) return true;
    const shown = await magnumCalls(scope).get(pathOf(scope));
    const status = asText(shown['status']);
    if (status.endsWith('_FAILED'))
      throw new ResourceInErrorError(status, textIn(shown, 'status_reason') ?? 'Unknown');
    return status === 'UPDATE_COMPLETE';
  },
};

const VOLUME_DRIVERS: Readonly<Record<string, string>> = {
  kubernetes: 'cinder',
  swarm: 'rexray',
  mesos: 'rexray',
};

const plainTemplate = restResource({
  name: 'OS::Magnum::ClusterTemplate',
  description: 'A template for clusters.',
  support: { status: 'SUPPORTED', version: '9.0.0' },
  api: magnumApi('clustertemplates'),
  properties: {
    name: text('The name of the template.'),
    image: named('glance.image', 'The image of the nodes.', { required: true }),
    flavor: named('nova.flavor', 'The flavor of the nodes.'),
    master_flavor: named('nova.flavor', 'The flavor of the masters.'),
    keypair: text('The key pair that may log in.', { constraints: [custom('nova.keypair')] }),
    external_network: named('neutron.network', 'The external network.', { required: true }),
    fixed_network: named('neutron.network', 'The network of the nodes.'),
    fixed_subnet: named('neutron.subnet', 'The subnet of the nodes.'),
    dns_nameserver: text('The name server of the nodes.', { constraints: [custom('ip_addr')] }),
    docker_volume_size: integer('GiB of the volume of containers.', { constraints: [range(1)] }),
    docker_storage_driver: text('How containers are stored.', {
      default: 'devicemapper',
      constraints: [oneOf('devicemapper', 'overlay')],
    }),
    coe: text('The container orchestration engine.', {
      required: true,
      constraints: [oneOf('kubernetes', 'swarm', 'mesos')],
    }),
    network_driver: text('The network driver of the containers.'),
    volume_driver: text('The volume driver of the containers.', {
      constraints: [oneOf('cinder', 'rexray')],
    }),
    http_proxy: text('The proxy for HTTP.'),
    https_proxy: text('The proxy for HTTPS.'),
    no_proxy: text('Addresses that need no proxy, separated by commas.'),
    labels: map('Further properties.'),
    tls_disabled: flag('Whether the API is without TLS.', { default: false }),
    public: flag('Whether all projects may use it; for administrators.', {
      default: false,
      updatable: true,
    }),
    registry_enabled: flag('Whether a registry of images is run.', { default: false }),
    server_type: text('The type of the nodes.', {
      default: 'vm',
      constraints: [oneOf('vm', 'bm')],
    }),
    master_lb_enabled: flag('Whether a load balancer leads to the masters.', { default: true }),
    floating_ip_enabled: flag('Whether nodes have floating IPs.', { default: true }),
  },
  attributes: {},
  validate(properties) {
    const [coe, driver] = ['coe', 'volume_driver'].map((name) => textIn(properties, name));
    const expected = VOLUME_DRIVERS[coe ?? ''];
    if (driver !== undefined && driver !== expected)
      throw new PropertyError(
        'volume_driver',
        `Volume driver type ${driver} is not supported by ${coe ?? ''}, expecting ${expected ?? 'none'}.`,
      );
  },
  fields: {
    image: 'image_id',
    flavor: 'flavor_id',
    master_flavor: 'master_flavor_id',
    keypair: 'keypair_id',
    external_network: 'external_network_id',
  },
});

export const clusterTemplate: ResourceType = {
  ...plainTemplate,
  async update(scope, { before }) {
    const value = scope.properties['public'] ?? false;
    const path = `/v1/clustertemplates/${part(scope.row.physicalId)}`;
    if (!isSame(before['public'], value))
      await magnumCalls(scope).patch(path, [{ op: 'replace', path: '/public', value }]);
    return {};
  },
};

/** The base of Magnum's types. Public source: Magnum API reference. */
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

import { isSame } from '../../json/same-json.js';
import { custom, flag, integer, map, named, oneOf, range, text } from '../declare.js';
import { given, textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { magnumApi, magnumCalls } from './magnum-api.js';
import { PropertyError } from '../../constraints/property.errors.js';

const VOLUME_DRIVERS: Readonly<Record<string, string>> = {
  kubernetes: 'cinder',
  swarm: 'rexray',
  mesos: 'rexray',
};

const OWN_NAMES = [
  'fixed_network',
  'fixed_subnet',
  'dns_nameserver',
  'docker_volume_size',
  'docker_storage_driver',
  'coe',
  'network_driver',
  'volume_driver',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'labels',
  'tls_disabled',
  'public',
  'registry_enabled',
  'server_type',
  'master_lb_enabled',
  'floating_ip_enabled',
];

const plain = restResource({
  name: 'OS::Magnum::ClusterTemplate',
  description: 'What clusters are made from.',
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
    coe: text('What runs the containers.', {
      required: true,
      constraints: [oneOf('kubernetes', 'swarm', 'mesos')],
    }),
    network_driver: text('What makes the networks of containers.'),
    volume_driver: text('What makes the volumes of containers.', {
      constraints: [oneOf('cinder', 'rexray')],
    }),
    http_proxy: text('The proxy for HTTP.'),
    https_proxy: text('The proxy for HTTPS.'),
    no_proxy: text('Addresses that need no proxy, separated by commas.'),
    labels: map('What else is said of it.'),
    tls_disabled: flag('Whether the API is without TLS.', { default: false }),
    public: flag('Whether all projects may use it; for administrators.', {
      default: false,
      updatable: true,
    }),
    registry_enabled: flag('Whether a registry of images is run.', { default: false }),
    server_type: text('What nodes are.', { default: 'vm', constraints: [oneOf('vm', 'bm')] }),
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
  body: (properties, scope) => ({
    ...given(properties, ...OWN_NAMES),
    name: nameOf(properties, scope),
    image_id: textIn(properties, 'image'),
    flavor_id: textIn(properties, 'flavor'),
    master_flavor_id: textIn(properties, 'master_flavor'),
    keypair_id: textIn(properties, 'keypair'),
    external_network_id: textIn(properties, 'external_network'),
  }),
});

export const clusterTemplate: ResourceType = {
  ...plain,
  async update(scope, { before }) {
    const value = scope.properties['public'] ?? false;
    const path = `/v1/clustertemplates/${part(scope.row.physicalId)}`;
    if (!isSame(before['public'], value))
      await magnumCalls(scope).patch(path, [{ op: 'replace', path: '/public', value }]);
    return {};
  },
};

import { expect, it } from '@jest/globals';
import { InvalidClusterTemplateError } from './cluster-template.errors.js';
import { bootstrapOf, checkDistro, checkTemplate, type TemplateValues } from './template-rules.js';

const VALUES: TemplateValues = {
  networkDriver: 'flannel',
  volumeDriver: null,
  dockerStorageDriver: null,
  dockerVolumeSize: null,
  serverType: 'vm',
  tlsDisabled: false,
  registryEnabled: false,
  driver: null,
  httpProxy: null,
  httpsProxy: null,
  insecureRegistry: null,
  labels: {},
};

it.each<[string, Partial<TemplateValues>]>([
  ['the minimum', {}],
  ['devicemapper with room', { dockerStorageDriver: 'devicemapper', dockerVolumeSize: 3 }],
  ['the driver by its name', { driver: 'cumulet' }],
  ['proxies', { httpProxy: 'http://proxy:3128', httpsProxy: 'https://proxy.example' }],
  ['a registry with its port', { insecureRegistry: 'registry.example:5000' }],
])('a template may say %s', (_, values) => {
  expect(() => checkTemplate({ ...VALUES, ...values })).not.toThrow();
});

it.each<[Partial<TemplateValues>, string]>([
  [{ networkDriver: 'cilium' }, 'Network driver type cilium is not supported'],
  [{ volumeDriver: 'rexray' }, 'Volume driver type rexray is not supported'],
  [{ dockerStorageDriver: 'devicemapper' }, 'docker volume size None GB is not valid'],
  [{ dockerStorageDriver: 'devicemapper', dockerVolumeSize: 2 }, 'minimum value 3GB'],
  [{ serverType: 'bm' }, 'there is no bare metal service'],
  [{ tlsDisabled: true }, 'tls_disabled is not supported'],
  [{ registryEnabled: true }, 'registry_enabled is not supported'],
  [{ driver: 'k8s_capi_helm_v1' }, 'The driver k8s_capi_helm_v1 is not supported'],
  [{ httpProxy: 'proxy:3128' }, 'http_proxy must be an address'],
  [{ httpsProxy: "http://x/'; reboot" }, 'https_proxy must be an address'],
  [{ insecureRegistry: 'http://registry' }, 'insecure_registry must be a host'],
])('a template may not say %p', (values, words) => {
  const check = (): void => checkTemplate({ ...VALUES, ...values });
  expect(check).toThrow(InvalidClusterTemplateError);
  expect(check).toThrow(words);
});

it('labels are checked, too', () => {
  expect(() => checkTemplate({ ...VALUES, labels: { kube_tga: 'x' } })).toThrow('kube_tga');
});

it("nodes use the platform's image unless a label names another bootstrap", () => {
  expect(bootstrapOf({})).toBe('cumulet');
  expect(bootstrapOf({ node_bootstrap: 'kubeadm' })).toBe('kubeadm');
});

it.each<[string, string, string]>([
  ['ubuntu', 'cumulet', 'an image of cumulet-node is needed'],
  ['cumulet-node', 'k3s', 'names another way than that of cumulet-node'],
])('an image of %s is no node by %s', (distro, way, words) => {
  expect(() => checkDistro(distro, { node_bootstrap: way }, 'kubernetes')).toThrow(
    `Cluster type (vm, ${distro}, kubernetes) not supported: `,
  );
  expect(() => checkDistro(distro, { node_bootstrap: way }, 'kubernetes')).toThrow(words);
});

it.each([
  ['ubuntu', 'k3s'],
  ['debian', 'kubeadm'],
  ['cumulet-node', 'cumulet'],
])('an image of %s is a node by %s', (distro, way) => {
  expect(() => checkDistro(distro, { node_bootstrap: way }, 'kubernetes')).not.toThrow();
});

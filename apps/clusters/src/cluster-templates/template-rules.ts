/** Pure rules for the values of templates. Public source: magnum, `api/validation.py`. */
import { BOOTSTRAPS, checkLabels, type Bootstrap } from '../labels/known-labels.js';
import type { Labels } from '../labels/labels.js';
import { InvalidClusterTemplateError } from './cluster-template.errors.js';

/** Carried by the node image. */
export const NETWORK_DRIVERS = ['flannel'] as const;
export const DEFAULT_NETWORK_DRIVER = 'flannel';
/** The value of `driver`. */
export const DRIVER = 'cumulet';
/** GiB; the minimum of the storage driver devicemapper. */
const DEVICEMAPPER_GIB = 3;
/** `os_distro` of images built for nodes, which carry all of Kubernetes. */
export const NODE_DISTRO = 'cumulet-node';

export interface TemplateValues {
  readonly networkDriver: string;
  readonly volumeDriver: string | null;
  readonly dockerStorageDriver: string | null;
  readonly dockerVolumeSize: number | null;
  readonly serverType: string;
  readonly tlsDisabled: boolean;
  readonly registryEnabled: boolean;
  readonly driver: string | null;
  readonly httpProxy: string | null;
  readonly httpsProxy: string | null;
  readonly insecureRegistry: string | null;
  readonly labels: Labels;
}

/** @throws InvalidClusterTemplateError, or an error of `checkLabels` */
export function checkTemplate(values: TemplateValues): void {
  const refusal = RULES.map((rule) => rule(values)).find((one) => one !== undefined);
  if (refusal !== undefined) throw new InvalidClusterTemplateError(refusal);
  checkLabels(values.labels);
}

type Rule = (values: TemplateValues) => string | undefined;

const RULES: readonly Rule[] = [
  ({ networkDriver }) =>
    (NETWORK_DRIVERS as readonly string[]).includes(networkDriver)
      ? undefined
      : `Network driver type ${networkDriver} is not supported, expecting a ${NETWORK_DRIVERS.join('/')}/unspecified network driver.`,
  ({ volumeDriver }) =>
    volumeDriver === null
      ? undefined
      : `Volume driver type ${volumeDriver} is not supported, expecting an unspecified volume driver: there is no volume service yet.`,
  ({ dockerStorageDriver, dockerVolumeSize }) =>
    dockerStorageDriver === 'devicemapper' && (dockerVolumeSize ?? 0) < DEVICEMAPPER_GIB
      ? `docker volume size ${dockerVolumeSize ?? 'None'} GB is not valid, expecting minimum value ${DEVICEMAPPER_GIB}GB for devicemapper storage driver.`
      : undefined,
  ({ serverType }) =>
    serverType === 'vm'
      ? undefined
      : 'Nodes of server type bm are not supported: there is no bare metal service.',
  ({ tlsDisabled }) =>
    tlsDisabled
      ? 'tls_disabled is not supported: Kubernetes has no API without TLS any more.'
      : undefined,
  ({ registryEnabled }) =>
    registryEnabled
      ? 'registry_enabled is not supported: the node image carries no registry.'
      : undefined,
  ({ driver }) =>
    driver === null || driver === DRIVER
      ? undefined
      : `The driver ${driver} is not supported, expecting ${DRIVER} or none.`,
  ({ httpProxy }) => proxyFault('http_proxy', httpProxy),
  ({ httpsProxy }) => proxyFault('https_proxy', httpsProxy),
  ({ insecureRegistry }) =>
    insecureRegistry === null || /^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/.test(insecureRegistry)
      ? undefined
      : `insecure_registry must be a host with an optional port, not '${insecureRegistry}'.`,
];

function proxyFault(field: string, value: string | null): string | undefined {
  if (value === null) return undefined;
  const isUrl = /^https?:\/\/[^\s'"\\]+$/.test(value) && URL.canParse(value);
  return isUrl
    ? undefined
    : `${field} must be an address such as http://proxy:3128, not '${value}'.`;
}

export function bootstrapOf(labels: Labels): Bootstrap {
  return BOOTSTRAPS.find((one) => one === labels['node_bootstrap']) ?? 'cumulet';
}

/** @throws InvalidClusterTemplateError for an image that does not fit the labels */
export function checkDistro(distro: string, labels: Labels, coe: string): void {
  const isNode = distro === NODE_DISTRO;
  if (isNode === (bootstrapOf(labels) === 'cumulet')) return;
  const why = isNode
    ? `the label node_bootstrap names another way than that of ${NODE_DISTRO}`
    : `an image of ${NODE_DISTRO} is needed, or the label node_bootstrap with k3s or kubeadm`;
  throw new InvalidClusterTemplateError(
    `Cluster type (vm, ${distro}, ${coe}) not supported: ${why}.`,
  );
}

/** The answer to a node that has presented its token. Pure, apart from generating keys. */
import { bootstrapOf } from '../../cluster-templates/template-rules.js';
import type { Cluster } from '../../clusters/cluster.entity.js';
import { addonsOf, CLUSTER_DOMAIN, networksOf } from '../../clusters/cluster-networks.js';
import type { ClusterSecrets } from '../../clusters/cluster-secrets.js';
import type { NodeGroup } from '../../node-groups/node-group.resource.js';
import { nodePki } from '../../pki/node-pki.js';
import type { Node } from '../node.entity.js';
import type { EtcdPlace } from './etcd-place.js';

export interface BootstrapInput {
  readonly cluster: Cluster;
  readonly group: NodeGroup;
  readonly node: Node;
  readonly secrets: ClusterSecrets;
  readonly etcd: EtcdPlace | null;
  /** As reported by the node: its own first. */
  readonly addresses: readonly string[];
  readonly cloud: object | null;
  /** The token with which k3s and kubeadm nodes join. */
  readonly joinToken: string;
}

export async function bootstrapDocument(input: BootstrapInput): Promise<object> {
  const { cluster, group, node, etcd, addresses, cloud, joinToken } = input;
  const isOwnImage = bootstrapOf(cluster.labels) !== 'cumulet';
  const { podCidr, serviceCidr, dnsIp, kubernetesIp } = networksOf(cluster.labels);
  const [ip = ''] = addresses;
  return {
    cluster: {
      id: cluster.id,
      name: cluster.name,
      domain: CLUSTER_DOMAIN,
      pod_cidr: podCidr,
      service_cidr: serviceCidr,
      dns_ip: dnsIp,
      kubernetes_ip: kubernetesIp,
    },
    node: {
      id: node.id,
      name: node.name,
      role: node.role,
      ip,
      labels: { 'cumulet.io/node-group': group.name, ...group.nodeLabels },
      taints: (group.nodeTaints ?? []).map(
        ({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`,
      ),
    },
    generation: cluster.pkiGeneration,
    ...(isOwnImage ? { join: { token: joinToken } } : {}),
    pki: await pkiOf(input, isOwnImage),
    etcd,
    cloud,
    proxy: cluster.blueprint.proxy,
    registries: { insecure: cluster.blueprint.insecureRegistries },
    // Workers wait for the cloud's controllers, which do not run without a user.
    addons: { ...addonsOf(cluster.labels), cloud_provider: input.secrets.trustee !== null },
  };
}

/** @param withAllKeys for k3s and kubeadm, which issue certificates themselves */
async function pkiOf(
  { cluster, node, secrets, addresses }: BootstrapInput,
  withAllKeys: boolean,
): Promise<Record<string, string>> {
  const isMaster = node.role === 'master';
  const [ip = '', ...others] = addresses;
  const { authorities, serviceAccountKey } = secrets;
  const pki = await nodePki({
    authorities,
    serviceAccountKey,
    node: { name: node.name, role: node.role, addresses: [ip] },
    cluster: {
      apiAddresses: isMaster ? others : [],
      kubernetesServiceIp: networksOf(cluster.labels).kubernetesIp,
      domain: CLUSTER_DOMAIN,
    },
  });
  if (!isMaster || !withAllKeys) return pki;
  return {
    ...pki,
    'etcd-ca.key': authorities.etcdCa.privateKeyPem,
    'front-proxy-ca.key': authorities.frontProxyCa.privateKeyPem,
  };
}

/**
 * The first boot of a node on an operator's own image that has kubeadm, the kubelet and containerd.
 * Public source: Kubernetes documentation, "kubeadm Configuration (v1beta4)" and, for custom
 * authorities, "Certificate Management with kubeadm".
 */
import { plainWord, sh } from '@cumulet/common/languages/shell';
import { isVersion } from '../references/kube-version.js';
import { FETCH, heartbeat } from './fetch-script.js';
import type { UserDataInput } from './user-data-input.js';

const PKI = '/etc/kubernetes/pki';

/** Existing files are used by kubeadm instead of generated ones. */
const AUTHORITIES: readonly (readonly [file: string, name: string])[] = [
  ['ca.crt', 'ca.crt'],
  ['ca.key', 'ca.key'],
  ['front-proxy-ca.crt', 'front-proxy-ca.crt'],
  ['front-proxy-ca.key', 'front-proxy-ca.key'],
  ['etcd/ca.crt', 'etcd-ca.crt'],
  ['etcd/ca.key', 'etcd-ca.key'],
  ['sa.key', 'service-account.key'],
  ['sa.pub', 'service-account.pub'],
];

export function kubeadmScript({ role, group }: UserDataInput): string[] {
  return [
    ...FETCH,
    'command -v kubeadm >/dev/null || { report boot FAILED "The image has no kubeadm."; exit 1; }',
    'hostnamectl set-hostname "$CUMULET_NODE_NAME"',
    'token=$(setting join token)',
    ...(role === 'master' ? masterLines(group.version) : WORKER),
    ...heartbeat({ program: 'kubelet', service: 'kubelet', isMaster: role === 'master' }),
  ];
}

const JOIN =
  'kubeadm join "${CUMULET_API_URL#https://}" --token "$token" --discovery-token-ca-cert-hash "$hash"';

const HASH = [
  `certificate ca.crt ${PKI}/ca.crt`,
  `hash=sha256:$(openssl x509 -in ${PKI}/ca.crt -noout -pubkey | openssl pkey -pubin -outform der | sha256sum | cut -d" " -f1)`,
];

function masterLines(version: string | null): string[] {
  return [
    ...AUTHORITIES.map(([file, name]) => `certificate ${name} ${PKI}/${file}`),
    ...HASH,
    'if [ "$(setting etcd founder)" = True ]; then',
    '  cat > /etc/cumulet/kubeadm.yaml <<EOF',
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: InitConfiguration',
    'bootstrapTokens: [{token: "$token", ttl: 0s}]',
    '---',
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: ClusterConfiguration',
    ...(isVersion(version) ? [sh`kubernetesVersion: ${plainWord(version)}`] : []),
    'controlPlaneEndpoint: "${CUMULET_API_URL#https://}"',
    'apiServer: {certSANs: ["$api"${CUMULET_API_PUBLIC_ADDRESS:+, "$CUMULET_API_PUBLIC_ADDRESS"}]}',
    'networking: {podSubnet: "$(setting cluster pod_cidr)", serviceSubnet: "$(setting cluster service_cidr)"}',
    'EOF',
    '  kubeadm init --config /etc/cumulet/kubeadm.yaml --skip-certificate-key-print',
    'else',
    `  ${JOIN} --control-plane`,
    'fi',
  ];
}

const WORKER = [...HASH, JOIN];

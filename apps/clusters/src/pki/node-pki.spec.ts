import 'reflect-metadata'; // before @peculiar/x509, which injects its own parts by it
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthorities, type Authorities } from './authority.js';
import { createServiceAccountKey } from './keys.js';
import { nodePki, type PkiNode } from './node-pki.js';

const CLUSTER = {
  apiAddresses: ['10.0.0.5', '198.51.100.4'],
  kubernetesServiceIp: '10.254.0.1',
  domain: 'cluster.local',
};
const MASTER: PkiNode = { name: 'demo-master-0', role: 'master', addresses: ['10.0.0.7'] };
const WORKER: PkiNode = { name: 'demo-worker-0', role: 'worker', addresses: ['10.0.0.8'] };
const OF_WORKERS = [
  'ca.crt',
  'kube-proxy.crt',
  'kube-proxy.key',
  'kubelet-server.crt',
  'kubelet-server.key',
  'kubelet.crt',
  'kubelet.key',
];

let authorities: Authorities;
let master: Record<string, string>;
let worker: Record<string, string>;

beforeAll(async () => {
  authorities = await createAuthorities();
  const serviceAccountKey = await createServiceAccountKey();
  const given = { authorities, serviceAccountKey, cluster: CLUSTER };
  master = await nodePki({ ...given, node: MASTER });
  worker = await nodePki({ ...given, node: WORKER });
});

describe('the certificates of a node', () => {
  it('are, for a worker, those of kubelet and proxy, without keys of authorities', () => {
    expect(Object.keys(worker).sort()).toEqual(OF_WORKERS);
  });

  it('are, for a master, those of all its components', () => {
    const pairs = [
      'admin',
      'apiserver',
      'apiserver-kubelet-client',
      'ca',
      'cloud-controller-manager',
      'controller-manager',
      'etcd-client',
      'etcd-peer',
      'etcd-server',
      'front-proxy-client',
      'kube-proxy',
      'kubelet',
      'kubelet-server',
      'scheduler',
    ];
    const files = [
      ...pairs.flatMap((name) => [`${name}.crt`, `${name}.key`]),
      'etcd-ca.crt',
      'front-proxy-ca.crt',
      'service-account.key',
      'service-account.pub',
    ];
    expect(Object.keys(master).sort()).toEqual(files.sort());
  });

  it.each([
    ['kubelet', 'O=system:nodes\nCN=system:node:demo-master-0'],
    ['kube-proxy', 'CN=system:kube-proxy'],
    ['controller-manager', 'CN=system:kube-controller-manager'],
    ['scheduler', 'CN=system:kube-scheduler'],
    ['admin', 'O=system:masters\nCN=admin'],
    ['cloud-controller-manager', 'O=system:masters\nCN=system:cloud-controller-manager'],
    ['apiserver-kubelet-client', 'O=system:masters\nCN=kube-apiserver-kubelet-client'],
    ['front-proxy-client', 'CN=front-proxy-client'],
  ])('say who it is: %s', (name, subject) => {
    expect(certificate(master, name).subject).toBe(subject);
  });

  it.each([
    ['etcd-', 'etcdCa'],
    ['front-proxy-', 'frontProxyCa'],
    ['', 'ca'],
  ] as const)('are by the authority of their kind: %s', (prefix, kind) => {
    const issuer = new X509Certificate(authorities[kind].certificatePem);
    const all = Object.keys(master).filter((file) => file.endsWith('.crt'));
    const own = all.filter((file) =>
      prefix === '' ? !/^(etcd|front-proxy)-/.test(file) : file.startsWith(prefix),
    );
    for (const file of own)
      expect(new X509Certificate(master[file] ?? '').verify(issuer.publicKey)).toBe(true);
  });

  it('fit their keys', () => {
    for (const file of Object.keys(master).filter((name) => name.endsWith('.crt'))) {
      const key = master[file.replace(/crt$/, 'key')];
      if (key !== undefined)
        expect(new X509Certificate(master[file] ?? '').checkPrivateKey(createPrivateKey(key))).toBe(
          true,
        );
    }
  });

  it('contain all names and addresses of the API', () => {
    expect(certificate(master, 'apiserver').subjectAltName?.split(', ')).toEqual([
      'DNS:kubernetes',
      'DNS:kubernetes.default',
      'DNS:kubernetes.default.svc',
      'DNS:kubernetes.default.svc.cluster.local',
      'DNS:demo-master-0',
      'DNS:localhost',
      'IP Address:10.254.0.1',
      'IP Address:127.0.0.1',
      'IP Address:10.0.0.7',
      'IP Address:10.0.0.5',
      'IP Address:198.51.100.4',
    ]);
  });

  it('include an RSA key for the tokens of service accounts', () => {
    const key = createPublicKey(master['service-account.key'] ?? '');
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPublicKey(master['service-account.pub'] ?? '').equals(key)).toBe(true);
  });
});

function certificate(files: Record<string, string>, name: string): X509Certificate {
  return new X509Certificate(files[`${name}.crt`] ?? '');
}

import 'reflect-metadata'; // before @peculiar/x509, which injects its own parts by it
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '@cumulet/common/programs/run-program';
import { createAuthorities, createAuthority, type Authorities } from './authority.js';
import { createServiceAccountKey } from './keys.js';
import { nodePki } from './node-pki.js';
import { signRequest } from './sign-request.js';
import { readSigningRequest } from './signing-request.js';

let folder: string;
let authorities: Authorities;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pki-'));
  authorities = await createAuthorities();
  const files = await nodePki({
    authorities,
    serviceAccountKey: await createServiceAccountKey(),
    node: { name: 'demo-master-0', role: 'master', addresses: ['10.0.0.7'] },
    cluster: {
      apiAddresses: ['198.51.100.4'],
      kubernetesServiceIp: '10.254.0.1',
      domain: 'cluster.local',
    },
  });
  await Promise.all(Object.entries(files).map(([name, pem]) => keep(name, pem)));
});
afterAll(() => rm(folder, { recursive: true }));

describe('to openssl', () => {
  it('an authority passes strict checks', async () => {
    expect(await verify('ca.crt', '-x509_strict', 'ca.crt')).toBe('ca.crt: OK\n');
    expect(await openssl('x509', '-in', 'ca.crt', '-noout', '-purpose')).toContain(
      'SSL server CA : Yes',
    );
  });

  it.each([
    ['ca.crt', 'apiserver.crt', ['-verify_hostname', 'kubernetes.default.svc.cluster.local']],
    ['ca.crt', 'apiserver.crt', ['-verify_ip', '10.254.0.1']],
    ['ca.crt', 'apiserver.crt', ['-verify_ip', '198.51.100.4']],
    ['ca.crt', 'kubelet-server.crt', ['-verify_hostname', 'demo-master-0']],
    ['etcd-ca.crt', 'etcd-server.crt', ['-verify_ip', '127.0.0.1']],
    ['etcd-ca.crt', 'etcd-peer.crt', ['-verify_ip', '10.0.0.7']],
  ])('by %s, %s is a server: %j', async (authority, file, names) => {
    const said = await verify(authority, '-x509_strict', '-purpose', 'sslserver', ...names, file);
    expect(said).toBe(`${file}: OK\n`);
  });

  it.each([
    ['ca.crt', 'admin.crt'],
    ['ca.crt', 'kubelet.crt'],
    ['etcd-ca.crt', 'etcd-peer.crt'],
    ['etcd-ca.crt', 'etcd-client.crt'],
    ['front-proxy-ca.crt', 'front-proxy-client.crt'],
  ])('by %s, %s is a client', async (authority, file) => {
    const said = await verify(authority, '-x509_strict', '-purpose', 'sslclient', file);
    expect(said).toBe(`${file}: OK\n`);
  });

  it('client certificates are not valid for servers, nor server certificates for other names', async () => {
    expect(await verify('ca.crt', '-purpose', 'sslserver', 'admin.crt')).toContain(
      'unsuitable certificate purpose',
    );
    expect(await verify('ca.crt', '-verify_hostname', 'example.com', 'apiserver.crt')).toContain(
      'hostname mismatch',
    );
  });

  it('client certificates of etcd are not valid for Kubernetes', async () => {
    expect(await verify('ca.crt', 'etcd-client.crt')).toContain('unable to get local issuer');
  });

  it('certificates of an authority before a rotation are refused', async () => {
    const { certificatePem } = await createAuthority({ commonName: 'kubernetes' });
    await keep('rotated.crt', certificatePem);
    expect(await verify('rotated.crt', 'admin.crt')).toContain('verification failed');
  });
});

describe('a request made by openssl', () => {
  it('becomes a client certificate with its subject', async () => {
    await keep('user.crt', await signed(await request('/O=system:masters/CN=admin')));
    expect(await verify('ca.crt', '-x509_strict', '-purpose', 'sslclient', 'user.crt')).toBe(
      'user.crt: OK\n',
    );
    const shown = await openssl('x509', '-in', 'user.crt', '-noout', ...SHOWN);
    expect(shown.replace(/\s+/g, ' ')).toContain(
      'subject=CN=admin,O=system:masters X509v3 Key Usage: critical ' +
        'Digital Signature, Key Encipherment X509v3 Extended Key Usage: TLS Web Client Authentication',
    );
  });

  it('becomes a server certificate too with alternative names', async () => {
    const names = ['-addext', 'subjectAltName=DNS:web.example.com,IP:10.0.0.9'];
    await keep('web.crt', await signed(await request('/CN=web', ...names)));
    for (const name of [
      ['-verify_hostname', 'web.example.com'],
      ['-verify_ip', '10.0.0.9'],
    ])
      expect(await verify('ca.crt', '-purpose', 'sslserver', ...name, 'web.crt')).toContain('OK');
  });

  it('is refused if it requests an authority', async () => {
    const pem = await request('/CN=evil', '-addext', 'basicConstraints=critical,CA:TRUE');
    await expect(readSigningRequest(pem)).rejects.toThrow('asks for basicConstraints CA:TRUE');
  });

  it('is refused on an unsupported curve', async () => {
    const pem = await request(
      '/CN=admin',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:secp256k1',
    );
    await expect(readSigningRequest(pem)).rejects.toThrow('a key on the curve secp256k1');
  });
});

/** An explicit format, since openssl's default depends on its version. */
const SHOWN = ['-subject', '-nameopt', 'RFC2253', '-ext', 'keyUsage,extendedKeyUsage'];

async function signed(pem: string): Promise<string> {
  return signRequest(authorities.ca, await readSigningRequest(pem), { days: 365 });
}

/** @returns PEM, of an RSA key by default */
function request(subject: string, ...further: string[]): Promise<string> {
  const key = further.includes('-newkey') ? [] : ['-newkey', 'rsa:2048'];
  return openssl(
    'req',
    '-new',
    '-nodes',
    '-keyout',
    'asked.key',
    '-subj',
    subject,
    ...key,
    ...further,
  );
}

function verify(authority: string, ...args: string[]): Promise<string> {
  return openssl('verify', '-CAfile', authority, ...args);
}

/** @returns openssl's output, also on failure */
async function openssl(...args: string[]): Promise<string> {
  const said = await runProgram('openssl', args, { timeoutMs: 120_000, cwd: folder });
  return said.exitCode === 0 ? said.stdout.toString() : said.stdout.toString() + said.stderr;
}

function keep(name: string, pem: string): Promise<void> {
  return writeFile(join(folder, name), pem);
}

/** HAProxy with secrets as they are read from the secrets service. */
import 'reflect-metadata';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { EntityManager } from 'typeorm';
import { balancerSpec, listenerSpec, poolSpec } from '../data-plane/balancer.fixture.js';
import type { ListenerTls, PemFile } from '../data-plane/balancer-spec.js';
import { ProxyWorld } from '../data-plane/haproxy/haproxy.fixture.js';
import {
  AUTHORITY,
  OLD_PKCS12,
  OTHER_AUTHORITY,
  OTHER_KEY,
  PKCS12,
  REVOCATIONS,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from './certificates.fixture.js';
import { FakeSecrets } from './secrets.fixture.js';
import { TlsReader } from './tls-reader.js';

const [PLAIN, CHECKED] = [8443, 8444];

let world: ProxyWorld;
let address: string;

beforeAll(async () => {
  world = await ProxyWorld.start();
  address = `${world.prefix}.1`;
  const secrets = new FakeSecrets();
  const ctx = RequestContext.system('req-test', {} as EntityManager);
  const reader = new TlsReader(secrets, ctx, 'project');
  const bundle = async (name: string, ref: string): Promise<PemFile> => ({
    name,
    pem: (await reader.bundle(ref)).pem,
  });
  const container = { certificate: OTHER_AUTHORITY, private_key: OTHER_KEY };
  const limits = { ciphers: null, versions: [], alpn: [], hsts: null };
  const plain: ListenerTls = {
    ...limits,
    bundles: [
      await bundle('default.pem', secrets.contain(container)),
      await bundle('sni.pem', secrets.put(PKCS12)),
    ],
    client: null,
  };
  const { pem: ca } = await reader.authority(secrets.put(AUTHORITY));
  const checked: ListenerTls = {
    ...limits,
    bundles: [await bundle('old.pem', secrets.put(OLD_PKCS12))],
    client: {
      authentication: 'MANDATORY',
      ca: { name: 'ca.pem', pem: ca },
      revocations: {
        name: 'crl.pem',
        pem: await reader.revocations(secrets.put(REVOCATIONS), ca),
      },
    },
  };
  const protocol = 'TERMINATED_HTTPS';
  const pool = poolSpec({ members: [await world.member('one')], monitor: null });
  const common = { protocol, defaultPoolId: pool.id, policies: [] } as const;
  await world.dataPlane.apply(
    balancerSpec({
      addresses: [address],
      pools: [pool],
      listeners: [
        listenerSpec({ ...common, id: 'plain', port: PLAIN, tls: plain }),
        listenerSpec({ ...common, id: 'checked', port: CHECKED, tls: checked }),
      ],
    }),
    { kind: 'host' },
  );
});
afterAll(() => world.end());

interface Answered {
  readonly status: string;
  readonly certificate: PeerCertificate;
}

/** Sends a request. @throws Error if the connection is refused */
function ask(port: number, options: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({
      host: address,
      port,
      ca: [AUTHORITY, OTHER_AUTHORITY],
      checkServerIdentity: () => undefined,
      ...options,
    });
    socket.on('error', reject);
    socket.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    socket.once('data', (data: Buffer) => {
      const certificate = socket.getPeerCertificate(true);
      socket.destroy();
      resolve({ status: data.toString().split('\r\n', 1)[0] ?? '', certificate });
    });
    socket.once('end', () => reject(new Error('the connection was ended')));
  });
}

it('serves each host name its certificate with its chain, and others the default', async () => {
  const named = await ask(PLAIN, { servername: 'www.example.com' });
  expect(named).toMatchObject({
    status: 'HTTP/1.1 200 OK',
    certificate: { subject: { CN: 'www.example.com' } },
  });
  const issuer = (named.certificate as { issuerCertificate?: PeerCertificate }).issuerCertificate;
  expect(issuer?.subject.CN).toBe('Test CA');
  const other = await ask(PLAIN, { servername: 'other.example.com' });
  expect(other.certificate.subject.CN).toBe('Other CA');
});

it('admits clients whose certificates the authority has issued and not revoked', async () => {
  const own = { cert: SERVER_CERTIFICATE, key: SERVER_KEY };
  expect((await ask(CHECKED, own)).status).toBe('HTTP/1.1 200 OK');
  await expect(ask(CHECKED, {})).rejects.toThrow();
  await expect(ask(CHECKED, { cert: OTHER_AUTHORITY, key: OTHER_KEY })).rejects.toThrow();
});

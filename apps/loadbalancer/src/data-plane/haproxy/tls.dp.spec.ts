/** TLS on both sides of HAProxy: one process with a listener for each case. */
import { createServer, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { balancerSpec, listenerSpec, memberSpec, poolSpec } from '../balancer.fixture.js';
import type { BalancerSpec, ListenerTls, MemberSpec, PoolTls } from '../balancer-spec.js';
import { AUTHORITY, CLIENT, ONE, REVOCATIONS, REVOKED, TWO } from './certificates.fixture.js';
import { ProxyWorld } from './haproxy.fixture.js';
import { FILES } from './configuration/words.js';

const PORTS = { plain: 8443, strict: 8444, optional: 8445, encrypted: 8446, distrusted: 8447 };

const ca = { name: 'ca.pem', pem: AUTHORITY };
const revocations = { name: 'revoked.pem', pem: REVOCATIONS };
const listenerTls: ListenerTls = {
  ciphers: null,
  versions: ['TLSv1.3'],
  alpn: ['h2', 'http/1.1'],
  client: null,
  hsts: null,
  bundles: [
    { name: 'one.pem', pem: ONE },
    { name: 'two.pem', pem: TWO },
  ],
};
const poolTls: PoolTls = {
  ciphers: null,
  versions: [],
  alpn: [],
  ca,
  revocations,
  bundle: { name: 'client.pem', pem: CLIENT },
};

let world: ProxyWorld;
let member: MemberSpec;
let secure: MemberSpec;
let endSecure: () => void;

const listener = (id: keyof typeof PORTS, tls: Partial<ListenerTls>, defaultPoolId = 'pool-1') =>
  listenerSpec({
    id,
    port: PORTS[id],
    protocol: 'TERMINATED_HTTPS',
    defaultPoolId,
    tls: { ...listenerTls, ...tls },
    insertHeaders: ['X-Forwarded-Proto', 'X-SSL-Client-CN', 'X-SSL-Client-Verify'],
  });

function everything(): BalancerSpec {
  return balancerSpec({
    id: 'tls',
    addresses: [`${world.prefix}.1`],
    listeners: [
      listener('plain', { hsts: { maxAgeSeconds: 60, includeSubdomains: true, preload: false } }),
      listener('strict', { client: { authentication: 'MANDATORY', ca, revocations } }),
      listener('optional', { client: { authentication: 'OPTIONAL', ca, revocations: null } }),
      listener('encrypted', {}, 'encrypted'),
      listener('distrusted', {}, 'distrusted'),
    ],
    pools: [
      poolSpec({ members: [member] }),
      poolSpec({ id: 'encrypted', members: [secure], tls: poolTls }),
      poolSpec({
        id: 'distrusted',
        members: [secure],
        tls: { ...poolTls, ca: { name: 'other.pem', pem: CLIENT.split('-----BEGIN EC')[0] ?? '' } },
      }),
    ],
  });
}

beforeAll(async () => {
  world = await ProxyWorld.start();
  member = await world.member('plain');
  const address = `${world.prefix}.90`;
  const server = createServer(
    { key: TWO, cert: TWO, ca: AUTHORITY, requestCert: true, rejectUnauthorized: true },
    ({ socket }, response) => {
      const { CN } = (socket as TLSSocket).getPeerCertificate().subject;
      response.end(JSON.stringify({ client: CN, sni: (socket as TLSSocket).servername }));
    },
  );
  await new Promise<void>((resolve) => server.listen(8443, address, resolve));
  endSecure = () => {
    server.closeAllConnections();
    server.close();
  };
  secure = memberSpec({ id: 'secure', address, port: 8443 });
  await world.dataPlane.apply(everything(), { kind: 'host' });
});
afterAll(async () => {
  endSecure();
  await world.end();
});

interface TlsAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  readonly certificate: PeerCertificate;
  readonly protocol: string | null;
}

/** @param pem of the client's key and certificate */
function get(port: number, servername = 'one.example.com', pem?: string): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: `${world.prefix}.1`,
      port,
      servername,
      ca: AUTHORITY,
      agent: false,
      headers: { host: servername },
      // A host name without a certificate gets the first one.
      checkServerIdentity: () => undefined,
      ...(pem !== undefined && { key: pem, cert: pem }),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const socket = response.socket as TLSSocket;
      const [certificate, protocol] = [socket.getPeerCertificate(), socket.getProtocol()];
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body, certificate, protocol });
      });
    });
    outgoing.end();
  });
}

const headersSeen = ({ body }: TlsAnswer): Record<string, unknown> =>
  body['headers'] as Record<string, unknown>;

describe('TLS termination at the load balancer', () => {
  it('presents the certificate of the host that the client names, or the first one', async () => {
    for (const [servername, subject] of [
      ['one.example.com', 'one.example.com'],
      ['two.example.com', 'two.example.com'],
      ['three.example.com', 'one.example.com'],
    ]) {
      const { certificate, status, protocol } = await get(PORTS.plain, servername);
      expect([status, certificate.subject.CN, protocol]).toEqual([200, subject, 'TLSv1.3']);
    }
  });

  it('is announced to members, and to browsers by HSTS', async () => {
    const answer = await get(PORTS.plain);
    expect(headersSeen(answer)).toMatchObject({ 'x-forwarded-proto': 'https' });
    expect(answer.headers['strict-transport-security']).toBe('max-age=60; includeSubDomains');
  });

  it('verifies client certificates against an authority and its revocation list', async () => {
    const { headers, ...answer } = await get(PORTS.strict, undefined, CLIENT);
    expect(headers['x-member']).toBe('plain');
    expect(headersSeen({ headers, ...answer })).toMatchObject({
      'x-ssl-client-cn': 'client',
      'x-ssl-client-verify': '0',
    });
    await expect(get(PORTS.strict)).rejects.toThrow(/certificate required|reset|hang up|EPIPE/i);
    await expect(get(PORTS.strict, undefined, REVOKED)).rejects.toThrow(
      /revoked|reset|hang up|EPIPE/i,
    );
    expect((await get(PORTS.optional)).status).toBe(200);
    expect((await get(PORTS.optional, undefined, CLIENT)).status).toBe(200);
  });
});

describe('TLS to members', () => {
  it('presents a client certificate, and names the host that the client asked for', async () => {
    const { body } = await get(PORTS.encrypted, 'two.example.com');
    expect(body).toEqual({ client: 'client', sni: 'two.example.com' });
  });

  it('refuses members that the authority has not signed', async () => {
    expect((await get(PORTS.distrusted)).status).toBe(503);
  });
});

it('keys are readable only by their own HAProxy', async () => {
  const folder = join(world.dataPlane.root, 'tls', FILES);
  const { mode, uid } = await stat(join(folder, 'one.pem'));
  expect(mode & 0o777).toBe(0o600);
  expect(uid).toBe(world.options.accountOf('tls')?.uid ?? process.getuid?.());
});

/** TLS of listeners and pools, from the secrets service to the data plane. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@cumulet/common/database/transaction';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { eventually } from '@cumulet/testing/settle';
import { loadBalancers } from '../tree/load-balancer.entity.js';
import type { Listener } from '../tree/listener.entity.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import type { Pool } from '../tree/pool.entity.js';
import { markDeleting, takeTree } from '../tree/take-tree.js';
import { listeners, pools, runTree, type TreeIds } from '../tree/tree.fixture.js';
import {
  AUTHORITY,
  LOCKED_KEY,
  LOCKED_PKCS12,
  NAMELESS_CERTIFICATE,
  OTHER_KEY,
  OTHER_REVOCATIONS,
  PKCS12,
  REVOCATIONS,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from './certificates.fixture.js';
import { CertificateExpiry } from './certificate-expiry.js';
import { TlsConsumers } from './tls-consumers.js';
import { TlsContentsService, type TlsRefs } from './tls-contents.service.js';

let fixture: LoadBalancerFixture;
let tree: TreeIds;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  tree = await runTree(fixture);
});
afterEach(() => {
  fixture.secrets.failure = undefined;
});

const SERVER = { certificate: SERVER_CERTIFICATE, private_key: SERVER_KEY };

async function change(listener: Partial<Listener>, pool: Partial<Pool> = {}): Promise<void> {
  await inTransaction(fixture.ctx, async (tx) => {
    await takeTree(tx, tree.id);
    if (Object.keys(listener).length > 0) await listeners.update(tx, tree.listenerId, listener);
    if (Object.keys(pool).length > 0) await pools.update(tx, tree.poolId, pool);
  });
  await fixture.settle();
}

const spec = () => fixture.dataPlane.running.get(tree.id)?.spec;
const fileOf = (kind: string, ref: string): string => `${kind}-${ref.slice(-36)}.pem`;
const state = (): Promise<unknown> => loadBalancers.get(fixture.ctx, tree.id);

describe('a listener', () => {
  it('gets its key and certificates, and their host names', async () => {
    const { secrets } = fixture;
    const named = secrets.contain({ ...SERVER, intermediates: AUTHORITY });
    const other = secrets.put(PKCS12);
    await change({
      defaultTlsContainerRef: named,
      sniContainerRefs: [other],
      hstsMaxAge: 60,
      hstsPreload: true,
      tlsVersions: ['TLSv1.3'],
    });
    const tls = spec()?.listeners[0]?.tls;
    expect(tls).toMatchObject({
      client: null,
      versions: ['TLSv1.3'],
      ciphers: null,
      hsts: { maxAgeSeconds: 60, includeSubdomains: false, preload: true },
    });
    const [first, second] = tls?.bundles ?? [];
    expect(first?.name).toBe(fileOf('bundle', named));
    expect(first?.pem).toMatch(/CERTIFICATE.*PRIVATE KEY.*CERTIFICATE/s);
    expect(second).toEqual({ name: fileOf('bundle', other), pem: first?.pem });
    expect(new Set(secrets.readers)).toEqual(new Set([fixture.project]));
  });

  it('gets a certificate only once, and reads it once, if it names it twice', async () => {
    const { secrets } = fixture;
    const ref = secrets.put(PKCS12);
    secrets.readers.length = 0;
    await change({ defaultTlsContainerRef: ref, sniContainerRefs: [ref] });
    expect(spec()?.listeners[0]?.tls?.bundles).toHaveLength(1);
    expect(secrets.readers).toHaveLength(1);
  });

  it('gets the authority and the revocation list for clients', async () => {
    const { secrets } = fixture;
    const ca = secrets.put(AUTHORITY);
    const crl = secrets.put(REVOCATIONS);
    await change({
      defaultTlsContainerRef: secrets.contain(SERVER, 'generic'),
      clientCaTlsContainerRef: ca,
      clientCrlContainerRef: crl,
      clientAuthentication: 'MANDATORY',
    });
    expect(spec()?.listeners[0]?.tls?.client).toEqual({
      authentication: 'MANDATORY',
      ca: { name: fileOf('ca', ca), pem: AUTHORITY },
      revocations: { name: fileOf('crl', crl), pem: REVOCATIONS },
    });
  });

  it('is in ERROR with the reason once its certificate is gone, while the previous one is served', async () => {
    const ref = fixture.secrets.contain(SERVER);
    await change({ defaultTlsContainerRef: ref });
    const before = spec();
    fixture.secrets.drop(ref);
    await change({ name: 'other' });
    expect(await state()).toMatchObject({
      state: 'error',
      stateReason: `Could not retrieve certificate: ${ref} (it does not exist)`,
    });
    expect(spec()).toBe(before);
  });

  it('waits for a secrets service that is unavailable', async () => {
    const ref = fixture.secrets.contain(SERVER);
    fixture.secrets.failure = new UnavailableError('away');
    const changed = change({ defaultTlsContainerRef: ref });
    await eventually('it has been tried in vain', () =>
      fixture.logs.some(({ id, attempt }) => id === tree.id && attempt === 0),
    );
    fixture.secrets.failure = undefined;
    await changed;
    expect(await state()).toMatchObject({ state: 'active' });
    expect(spec()?.listeners[0]?.tls).not.toBeNull();
  });
});

it('a pool gets its client certificate, authority and revocation list', async () => {
  const { secrets } = fixture;
  const [bundle, ca] = [secrets.put(SERVER_KEY + SERVER_CERTIFICATE), secrets.put(AUTHORITY)];
  await change({}, { tlsEnabled: true, tlsContainerRef: bundle, caTlsContainerRef: ca });
  expect(spec()?.pools[0]?.tls).toMatchObject({
    bundle: { name: fileOf('bundle', bundle) },
    ca: { name: fileOf('ca', ca), pem: AUTHORITY },
    revocations: null,
  });
  await change({}, { tlsEnabled: false });
  expect(spec()?.pools[0]?.tls).toBeNull();
});

describe('a secret has its consumer registered', () => {
  const listenerUses = (): string[] => [`Octavia lbaas://listeners/${tree.listenerId}`];

  it('until another secret is used', async () => {
    const { secrets } = fixture;
    const [old, next] = [secrets.contain(SERVER), secrets.put(PKCS12)];
    await change({ defaultTlsContainerRef: old });
    expect(secrets.usersOf(old)).toEqual(listenerUses());
    await change({ defaultTlsContainerRef: next });
    expect(secrets.usersOf(old)).toEqual([]);
    expect(secrets.usersOf(next)).toEqual([`Octavia listener ${tree.listenerId}`]);
  });

  it('until the listener is deleted', async () => {
    const { secrets } = fixture;
    const ref = secrets.contain(SERVER);
    await change({ defaultTlsContainerRef: ref });
    await inTransaction(fixture.ctx, async (tx) => {
      await takeTree(tx, tree.id);
      await markDeleting(tx, 'listeners', [tree.listenerId]);
    });
    await fixture.settle();
    expect(secrets.usersOf(ref)).toEqual([]);
  });

  it('until the load balancer is deleted, which does not wait', async () => {
    const { secrets } = fixture;
    const ref = secrets.contain(SERVER);
    await change({ defaultTlsContainerRef: ref });
    secrets.failure = new UnavailableError('away');
    await inTransaction(fixture.ctx, (tx) => takeTree(tx, tree.id, 'remove'));
    await fixture.settle();
    expect(await loadBalancers.find(fixture.ctx, tree.id)).toBeUndefined();
    expect(secrets.usersOf(ref)).toEqual(listenerUses());
    secrets.failure = undefined;
    await fixture.app.nest.get(TlsConsumers).sweep(fixture.ctx);
    expect(secrets.usersOf(ref)).toEqual([]);
  });

  it('until it is removed after a crash', async () => {
    const { secrets } = fixture;
    const ref = secrets.contain(SERVER);
    await change({ defaultTlsContainerRef: ref });
    secrets.consumers.clear();
    await fixture.app.dataSource.query('UPDATE tls_consumers SET is_registered = false');
    await change({ name: 'again' });
    expect(secrets.usersOf(ref)).toEqual(listenerUses());
  });
});

describe('a reference in a request', () => {
  const judge = (refs: Partial<TlsRefs>): Promise<void> =>
    fixture.app.nest.get(TlsContentsService).requireUsable(fixture.ctx, fixture.project, {
      bundles: [],
      ca: null,
      revocations: null,
      ...refs,
    });

  it('is accepted if it is usable', async () => {
    const { secrets } = fixture;
    await judge({
      bundles: [
        secrets.put(PKCS12),
        secrets.contain({
          certificate: SERVER_CERTIFICATE,
          private_key: LOCKED_KEY,
          private_key_passphrase: 'secret',
        }),
      ],
      ca: secrets.put(AUTHORITY),
      revocations: secrets.put(REVOCATIONS),
    });
  });

  const retrieval = 'CertificateRetrievalExceptionError';
  it.each<[string, string, string, () => Partial<TlsRefs>]>([
    [
      'to a missing secret',
      retrieval,
      'it does not exist',
      () => ({ bundles: [`http://secrets.test/v1/containers/${'0'.repeat(36)}`] }),
    ],
    [
      'that is not a URL',
      retrieval,
      'it is not the address of a secret or container',
      () => ({ bundles: ['somewhere'] }),
    ],
    [
      'to a key of another certificate',
      retrieval,
      'do not match',
      () => ({ bundles: [fixture.secrets.contain({ ...SERVER, private_key: OTHER_KEY })] }),
    ],
    [
      'to a container without a key',
      retrieval,
      'it must contain a private key',
      () => ({ bundles: [fixture.secrets.contain({ certificate: SERVER_CERTIFICATE })] }),
    ],
    [
      'to an encrypted key',
      retrieval,
      'needs a pass phrase',
      () => ({ bundles: [fixture.secrets.contain({ ...SERVER, private_key: LOCKED_KEY })] }),
    ],
    [
      'to an encrypted bundle',
      'UnreadablePKCS12Error',
      'needs a pass phrase',
      () => ({ bundles: [fixture.secrets.put(LOCKED_PKCS12)] }),
    ],
    [
      'to a certificate without a name',
      'MissingCertSubjectError',
      'No CN or DNSName(s) found',
      () => ({ bundles: [fixture.secrets.put(OTHER_KEY + NAMELESS_CERTIFICATE)] }),
    ],
    [
      'to an invalid authority',
      'ValidationExceptionError',
      'CA certificate is invalid',
      () => ({ ca: fixture.secrets.put('nothing') }),
    ],
    [
      'to an invalid revocation list',
      'ValidationExceptionError',
      'revocation list is invalid',
      () => ({ ca: fixture.secrets.put(AUTHORITY), revocations: fixture.secrets.put('no') }),
    ],
    [
      'to a revocation list of another authority',
      'ValidationExceptionError',
      'It is not of the authority',
      () => ({
        ca: fixture.secrets.put(AUTHORITY),
        revocations: fixture.secrets.put(OTHER_REVOCATIONS),
      }),
    ],
  ])('%s is refused: %s', async (_, name, reason, refs) => {
    await expect(judge(refs())).rejects.toMatchObject({
      name,
      kind: 'invalid',
      message: expect.stringContaining(reason) as unknown,
    });
  });
});

describe('the expiry of a certificate', () => {
  it('is exposed as a metric', async () => {
    const ref = fixture.secrets.contain(SERVER);
    await change({ defaultTlsContainerRef: ref });
    const text = await fixture.app.metrics.registry.metrics();
    const line = text.split('\n').find((one) => one.includes(ref)) ?? '';
    expect(line).toMatch(/^load_balancer_certificate_expiry_seconds{.*} [0-9.e+]+$/);
    expect(Number(line.split(' ').at(-1)) * 1_000).toBeGreaterThan(Date.now());
  });

  it('is logged some days before', async () => {
    const soon = fixture.secrets.contain(SERVER);
    const later = fixture.secrets.put(PKCS12);
    await change({ defaultTlsContainerRef: soon, sniContainerRefs: [later] });
    await fixture.app.dataSource.query(
      "UPDATE tls_consumers SET expires_at = now() + interval '13 days' WHERE ref = $1",
      [soon],
    );
    await fixture.app.nest.get(CertificateExpiry).warn(fixture.ctx);
    const lines = fixture.logs.filter(
      ({ msg }) => msg === 'a certificate of a load balancer expires soon',
    );
    expect(lines.map(({ ref }) => ref)).toContain(soon);
    expect(lines.map(({ ref }) => ref)).not.toContain(later);
  });
});

it('no row or log contains a key', async () => {
  const { secrets } = fixture;
  await change({ defaultTlsContainerRef: secrets.contain(SERVER) });
  await change({ defaultTlsContainerRef: secrets.contain({ ...SERVER, private_key: OTHER_KEY }) });
  const [{ rows }]: [{ rows: string }] = await fixture.app.dataSource.query(
    `SELECT (SELECT json_agg(one) FROM listeners AS one)::text ||
            (SELECT json_agg(one) FROM load_balancers AS one)::text ||
            (SELECT json_agg(one) FROM tls_consumers AS one)::text AS rows`,
  );
  const log = JSON.stringify(fixture.logs);
  for (const text of [rows, log]) {
    expect(text).not.toContain('PRIVATE KEY');
    for (const key of [SERVER_KEY, OTHER_KEY]) {
      const [, , line = key] = key.split('\n');
      expect(text).not.toContain(line);
    }
  }
});

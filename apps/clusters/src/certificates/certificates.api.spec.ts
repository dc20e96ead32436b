import 'reflect-metadata'; // before @peculiar/x509, which injects its own parts by it
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BasicConstraintsExtension } from '@peculiar/x509';
import type { TestResponse } from '@cumulet/testing/http-client';
import { type ClustersFixture, messageOf, startClusters } from '../clusters.fixture.js';
import { asId } from '@cumulet/common/context/ids';
import { Resealing } from '@cumulet/common/sealing/resealing';
import { NodeTokens } from '../nodes/node-token.js';
import { rsaKey, signingRequest } from '../pki/signing-request.fixture.js';

let fixture: ClustersFixture;
let cluster: string;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
  cluster = await made();
});
afterAll(() => fixture.stop());

async function made(fields: object = {}): Promise<string> {
  const id = await fixture.createCluster(fields);
  await fixture.work(id);
  return id;
}

async function authority(query = '', id = cluster): Promise<X509Certificate> {
  const { status, body } = await fixture.ask('GET', `/v1/certificates/${id}${query}`);
  expect([status, body]).toMatchObject([200, { cluster_uuid: id }]);
  return new X509Certificate((body as { pem: string }).pem);
}

const sign = (csr: string, fields: object = {}, token = fixture.token): Promise<TestResponse> =>
  fixture.ask('POST', '/v1/certificates', { cluster_uuid: cluster, csr, ...fields }, { token });

const pemOf = ({ body }: TestResponse): X509Certificate =>
  new X509Certificate((body as { pem: string }).pem);

describe('the authority', () => {
  it('is shown for each type', async () => {
    const ca = await authority();
    expect(ca.ca).toBe(true);
    expect(ca.fingerprint).toBe((await authority('?ca_cert_type=kubernetes')).fingerprint);
    const etcd = await authority('?ca_cert_type=etcd');
    const proxy = await authority('?ca_cert_type=front_proxy');
    expect(proxy.fingerprint).toBe((await authority('?ca_cert_type=front-proxy')).fingerprint);
    expect(new Set([ca, etcd, proxy].map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });

  it('does not exist before a worker has created it', async () => {
    const answer = await fixture.ask('GET', `/v1/certificates/${await fixture.createCluster()}`);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([409, '1']);
  });

  it('of another project is not found', async () => {
    const { stranger: token } = fixture;
    const path = `/v1/certificates/${cluster}`;
    expect((await fixture.ask('GET', path, undefined, { token })).status).toBe(404);
    expect((await sign(await signingRequest(), {}, token)).status).toBe(400);
    expect((await fixture.ask('PATCH', path, undefined, { token })).status).toBe(404);
  });
});

describe('a certificate request', () => {
  it('is signed for its subject', async () => {
    const csr = await signingRequest({ key: rsaKey(2_048) });
    const answer = await sign(csr);
    expect([answer.status, answer.body]).toMatchObject([201, { cluster_uuid: cluster, csr }]);
    const certificate = pemOf(answer);
    expect(certificate.subject.split('\n').sort()).toEqual(['CN=admin', 'O=system:masters']);
    expect(certificate.verify((await authority()).publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  it('is signed by the requested authority', async () => {
    const certificate = pemOf(await sign(await signingRequest(), { ca_cert_type: 'etcd' }));
    expect(certificate.verify((await authority('?ca_cert_type=etcd')).publicKey)).toBe(true);
    expect(certificate.verify((await authority()).publicKey)).toBe(false);
  });

  it('is refused where it is none', async () => {
    const cut = (await signingRequest()).slice(0, 300);
    for (const csr of ['x', 'MIIC', cut, '-----BEGIN CERTIFICATE REQUEST-----']) {
      const answer = await sign(csr);
      expect([csr, answer.status]).toEqual([csr, 400]);
    }
    expect((await sign('')).status).toBe(400);
    expect((await sign('x'.repeat(20_000))).status).toBe(400);
  });

  it('is refused if it requests an authority', async () => {
    const answer = await sign(
      await signingRequest({ extensions: [new BasicConstraintsExtension(true, 1, true)] }),
    );
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringMatching(/authorit/)]);
  });

  it('is refused for a missing cluster and an unknown authority', async () => {
    const csr = await signingRequest();
    expect((await sign(csr, { cluster_uuid: 'none' })).status).toBe(400);
    expect((await sign(csr, { ca_cert_type: 'mine' })).status).toBe(400);
    expect((await sign(csr, {}, fixture.reader)).status).toBe(403);
  });
});

it('a rotation invalidates all earlier certificates', async () => {
  const id = await made();
  const before = await authority('', id);
  const former = pemOf(await sign(await signingRequest(), { cluster_uuid: id }));
  expect(former.verify(before.publicKey)).toBe(true);
  const answer = await fixture.ask('PATCH', `/v1/certificates/${id}`);
  expect([answer.status, answer.body]).toEqual([202, { uuid: id }]);
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
  expect((await fixture.ask('PATCH', `/v1/certificates/${id}`)).status).toBe(400);
  const servers = (await fixture.nodesOf(id)).map(({ serverId }) => serverId);
  await fixture.work(id);
  const after = await authority('', id);
  expect(former.verify(after.publicKey)).toBe(false);
  expect(
    pemOf(await sign(await signingRequest(), { cluster_uuid: id })).verify(after.publicKey),
  ).toBe(true);
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  const nodes = await fixture.nodesOf(id);
  expect(nodes.map(({ serverId }) => serverId)).toEqual(servers);
  expect(nodes.map(({ pkiGeneration }) => pkiGeneration)).toEqual([2, 2]);
});

it('a rotation may name its cluster in the body', async () => {
  const id = await made();
  const rotate = (body: object): Promise<TestResponse> =>
    fixture.ask('PATCH', '/v1/certificates', body);
  const answer = await rotate({ cluster: id });
  expect([answer.status, answer.body]).toEqual([202, { uuid: id }]);
  expect((await rotate({ cluster: 'none' })).status).toBe(404);
  expect((await rotate({})).status).toBe(400);
});

describe('the credential', () => {
  it('is replaced by that of another user, and the former one ends', async () => {
    const id = await made();
    const trusts = fixture.trusts.given.size;
    const answer = await fixture.ask('PATCH', `/v1/credentials/${id}`);
    expect([answer.status, answer.body]).toEqual([202, { uuid: id }]);
    expect(fixture.trusts.given.size).toBe(trusts + 1);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect((await fixture.nodesOf(id)).map(({ pkiGeneration }) => pkiGeneration)).toEqual([2, 2]);
  });

  it('is for members, since 1.12', async () => {
    const path = `/v1/credentials/${cluster}`;
    const { stranger, reader } = fixture;
    expect((await fixture.ask('PATCH', path, undefined, { version: '1.11' })).status).toBe(406);
    expect((await fixture.ask('PATCH', path, undefined, { token: stranger })).status).toBe(404);
    expect((await fixture.ask('PATCH', path, undefined, { token: reader })).status).toBe(403);
  });
});

it('keeps its authority and the tokens of nodes when the sealing key is replaced', async () => {
  const pem = (await authority()).toString();
  const next = { secretKey: '5a'.repeat(32) };
  const joins = ({ app }: ClustersFixture): string =>
    app.nest.get(NodeTokens).ofCluster(asId(cluster));
  const changed = (oldSecretKeys: string[] | undefined): Promise<ClustersFixture> =>
    startClusters({ beside: fixture, config: { ...fixture.config, ...next, oldSecretKeys } });
  const shown = async ({ client }: ClustersFixture): Promise<unknown> => {
    const path = `/v1/certificates/${cluster}`;
    return ((await client.get(path, { token: fixture.token })).body as { pem: string }).pem;
  };
  const both = await changed([fixture.config.secretKey]);
  expect(new X509Certificate(String(await shown(both))).toString()).toBe(pem);
  const resealing = both.app.nest.get(Resealing);
  await resealing.renew(both.ctx);
  await resealing.renew(both.ctx);
  await both.stop();
  const last = await changed(undefined);
  expect(new X509Certificate(String(await shown(last))).toString()).toBe(pem);
  expect(joins(last)).toBe(joins(fixture));
  await last.stop();
});

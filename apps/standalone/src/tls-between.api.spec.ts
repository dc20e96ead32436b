/** Two services that serve HTTPS and call each other by it. */
import 'reflect-metadata';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { askProbe } from '@cumulet/common/tls/ask-probe';
import { trustAuthorities } from '@cumulet/common/tls/tls';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import { identityService } from '@cumulet/identity/service';
import { secretsService } from '@cumulet/secrets/service';
import { CertificateFiles } from '@cumulet/testing/certificate-files';
import { eventually } from '@cumulet/testing/settle';
import { startService, type StartedService } from '@cumulet/testing/start-service';

const PASSWORD = 'the password of demo';
const files = new CertificateFiles();
const ours = files.authority('ours');
const other = files.authority('other');
let identity: StartedService<ReturnType<typeof identityService.load>>;
let secrets: StartedService<ReturnType<typeof secretsService.load>>;
const clients: ServiceClient[] = [];

function clientOf({ app }: { app: { name: string; address: string | undefined } }): ServiceClient {
  const client = new ServiceClient({ service: app.name, baseUrl: app.address ?? '' });
  clients.push(client);
  return client;
}

/** The serial number of the certificate that a new connection gets. */
async function shownSerial(address: string): Promise<string> {
  const { hostname: host, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

beforeAll(async () => {
  files.issue(ours, 'IP:127.0.0.1');
  trustAuthorities(ours);
  const env = {
    CUMULET_TLS_CERTIFICATE: files.certificate,
    CUMULET_TLS_KEY: files.key,
    CUMULET_SERVICE_PASSWORD: 'the password of services',
  };
  const users = {
    CUMULET_SERVICES: 'secrets:key-manager:barbican=https://secrets.example',
    IDENTITY_DEMO_PASSWORD: PASSWORD,
    IDENTITY_PASSWORD_MEMORY: '8',
    IDENTITY_PASSWORD_PASSES: '1',
  };
  identity = await startService(identityService, { ...env, ...users }, { ownTokens: true });
  const at = { CUMULET_IDENTITY_URL: identity.app.address ?? '' };
  secrets = await startService(secretsService, { ...env, ...at }, { ownTokens: true });
});
afterAll(async () => {
  trustAuthorities(undefined);
  for (const client of clients) await client.close();
  await secrets.stop();
  await identity.stop();
  files.remove();
});

it('a token of the one is accepted by the other', async () => {
  const [name, domain] = ['demo', { id: 'default' }];
  const user = { name, domain, password: PASSWORD };
  const { headers } = await clientOf(identity).send({
    method: 'POST',
    path: '/v3/auth/tokens',
    json: {
      auth: {
        identity: { methods: ['password'], password: { user } },
        scope: { project: { name, domain } },
      },
    },
  });
  const answer = await clientOf(secrets).send({
    path: '/v1/secrets',
    headers: { 'X-Auth-Token': String(headers['x-subject-token']) },
  });
  expect(answer).toMatchObject({ status: 200, body: { secrets: [] } });
});

it('a client that trusts another authority gets no answer', async () => {
  trustAuthorities(other);
  await expect(clientOf(secrets).send({ path: '/healthz' })).rejects.toThrow(
    ServiceUnavailableError,
  );
  trustAuthorities(ours);
});

it('a renewed certificate is shown without a restart', async () => {
  const address = secrets.app.address ?? '';
  const former = await shownSerial(address);
  files.issue(ours, 'IP:127.0.0.1');
  await eventually('the new one', async () => (await shownSerial(address)) !== former);
  expect((await clientOf(secrets).send({ path: '/healthz' })).status).toBe(200);
});

it('a probe asks by HTTPS what serves that, whatever authority it trusts', async () => {
  trustAuthorities(other);
  const { hostname: host, port } = new URL(secrets.app.address ?? '');
  const env = { CUMULET_TLS_CERTIFICATE: files.certificate };
  expect(await askProbe(env, { host, port, path: '/readyz' }, 10_000)).toBe(200);
  trustAuthorities(ours);
});

/** The sealing key and the service users' password are replaced while two processes serve. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Seal } from '@cumulet/common/crypto/seal';
import { Resealing } from '@cumulet/common/sealing/resealing';
import { eventually } from '@cumulet/testing/settle';
import type { IdentityConfig } from '../config.js';
import {
  login,
  namedIn,
  projectScope,
  SERVICE_PASSWORD,
  signedIn,
  startIdentity,
  startReplica,
  statusOf,
  tokenOf,
  type TestIdentity,
} from '../identity.fixture.js';

const NEW_PASSWORD = 'the next password of services';
const NEW_KEY = '5a'.repeat(32);

let identity: TestIdentity;
/** Each process by its last start. */
let processes: [TestIdentity, TestIdentity];
let userId: string;

beforeAll(async () => {
  identity = await startIdentity();
  processes = [identity, await startReplica(identity)];
  userId = (await namedIn(identity))('user demo');
});
afterAll(async () => {
  for (const { app } of processes) await app.stop();
  await identity.database.drop();
});

const serviceLogin = (
  { client }: TestIdentity,
  password: string,
): Promise<Awaited<ReturnType<typeof login>>> =>
  login(client, { user: 'compute', password, scope: projectScope('service') });

/** Every process lets services in by this password, and reads what any process has written. */
async function allServe(password: string): Promise<void> {
  for (const one of processes) {
    expect((await serviceLogin(one, password)).status).toBe(201);
    const token = await tokenOf(one.client);
    const blob = `written with ${password}`;
    const body = { credential: { user_id: userId, type: 'cert', blob } };
    expect((await one.client.post('/v3/credentials', { token, body })).status).toBe(201);
  }
  for (const { client } of processes) {
    const token = await tokenOf(client);
    expect((await client.get('/v3/credentials', { token })).status).toBe(200);
  }
}

/** Restarts one process after the other; services keep to the password meanwhile. */
async function changeEach(changes: Partial<IdentityConfig>, password: string): Promise<void> {
  for (const at of [0, 1] as const) {
    const before = processes[at];
    processes[at] = await startReplica(identity, changes);
    await before.app.stop();
    await allServe(password);
  }
}

it('serves throughout, and refuses the former ones at the end', async () => {
  const old = { secretKey: identity.config.secretKey, servicePassword: SERVICE_PASSWORD };
  const next = { secretKey: NEW_KEY, servicePassword: NEW_PASSWORD };
  await allServe(SERVICE_PASSWORD);
  const early = signedIn(await serviceLogin(processes[0], SERVICE_PASSWORD));
  await changeEach(
    { ...old, oldSecretKeys: [NEW_KEY], oldServicePasswords: [NEW_PASSWORD] },
    SERVICE_PASSWORD,
  );
  const swapped = {
    ...next,
    oldSecretKeys: [old.secretKey],
    oldServicePasswords: [SERVICE_PASSWORD],
  };
  await changeEach(swapped, SERVICE_PASSWORD);
  await allServe(NEW_PASSWORD);
  // A process that starts again has nothing to change, and the tokens of services last.
  await changeEach(swapped, NEW_PASSWORD);
  expect(await statusOf(processes[1], early)).toBe(200);

  const [{ app, ctx }] = processes;
  await app.nest.get(Resealing).renew(ctx);
  await app.nest.get(Resealing).renew(ctx);
  const prefix = new Seal(NEW_KEY).currentPrefix;
  const left: unknown = await app.dataSource.query(
    `SELECT sealed_blob FROM credentials WHERE NOT starts_with(sealed_blob, $1)
      UNION ALL SELECT sealed_private_jwk FROM signing_keys WHERE NOT starts_with(sealed_private_jwk, $1)
      UNION ALL SELECT sealed FROM sealed_secrets WHERE NOT starts_with(sealed, $1)`,
    [prefix],
  );
  expect(left).toEqual([]);
  await changeEach(
    { ...next, oldSecretKeys: undefined, oldServicePasswords: undefined },
    NEW_PASSWORD,
  );

  for (const one of processes) {
    expect((await serviceLogin(one, SERVICE_PASSWORD)).status).toBe(401);
    await eventually(
      'the early token is revoked',
      async () => (await statusOf(one, early)) === 401,
    );
  }
});

it('lets a service user in by former passwords in the default domain alone', async () => {
  const { client } = processes[0];
  const token = await tokenOf(client);
  const named = { name: 'elsewhere' };
  const domain = await client.post('/v3/domains', { token, body: { domain: named } });
  const { id } = (domain.body as { domain: { id: string } }).domain;
  const user = { name: 'compute', domain_id: id, password: 'its own' };
  const made = await client.post('/v3/users', { token, body: { user } });
  const own = (made.body as { user: { id: string } }).user.id;
  const replica = await startReplica(identity, {
    secretKey: NEW_KEY,
    servicePassword: NEW_PASSWORD,
    oldServicePasswords: ['another'],
  });
  try {
    const logins = [
      { user: 'compute', password: 'another' },
      { id: own, password: 'its own' },
      { id: own, password: 'another' },
      { user: 'admin', password: 'another' },
    ];
    const statuses = [];
    for (const one of logins) statuses.push((await login(replica.client, one)).status);
    expect(statuses).toEqual([201, 201, 401, 401]);
  } finally {
    await replica.stop();
  }
});

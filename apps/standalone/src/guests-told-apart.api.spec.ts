/** Guests that log in through the API of the cloud: failed logins of one do not count for others. */
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Ingress } from './ingress/ingress.js';
import {
  DEMO_PASSWORD,
  startIdentity,
  type TestIdentity,
} from '@cumulet/identity/identity.fixture';
import {
  addressFor,
  GuestApiProxy,
} from '@cumulet/network/data-plane/ovn/metadata/guest-api-proxy';
import { TestClient } from '@cumulet/testing/http-client';

const PATH = '/identity/v3/auth/tokens';

const ingress = new Ingress();
const servers: Server[] = [];
let identity: TestIdentity;
let one: TestClient;
let other: TestClient;
let outside: TestClient;

beforeAll(async () => {
  // As generous as an operator may be: guests still speak for themselves alone.
  identity = await startIdentity({ trustedProxies: '127.0.0.0/8', lockoutFailures: 3 });
  ingress.mount('/identity', identity.app);
  outside = new TestClient(`http://127.0.0.1:${await ingress.listen(0, '127.0.0.1')}`);
  const guestApi = new GuestApiProxy(
    { host: '127.0.0.1', port: await ingress.listenForGuests() },
    true,
  );
  const guest = async (portId: string): Promise<TestClient> => {
    const asker = { portId, macAddress: '', deviceId: '', projectId: '', address: '10.0.0.5' };
    const server = createServer({ allowHalfOpen: true }, (socket) =>
      guestApi.accept(socket, asker),
    );
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new TestClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  // Of two networks, in which both have the same address.
  [one, other] = [await guest('port one'), await guest('port other')];
});
afterAll(async () => {
  for (const server of servers) server.close();
  await ingress.close();
  await identity.stop();
});
beforeEach(() => identity.app.dataSource.query('DELETE FROM login_failures'));

async function logIn(
  from: TestClient,
  password = DEMO_PASSWORD,
  headers: Record<string, string> = {},
): Promise<number> {
  const user = { name: 'demo', domain: { id: 'default' }, password };
  const body = { auth: { identity: { methods: ['password'], password: { user } } } };
  return (await from.post(PATH, { body, headers })).status;
}

async function fail(from: TestClient, times: number, headers = {}): Promise<void> {
  for (let time = 0; time < times; time += 1)
    expect(await logIn(from, 'a wrong one', headers)).toBe(401);
}

describe('the failed logins of a guest', () => {
  it('lock its user out there only', async () => {
    await fail(one, 3);
    expect(await logIn(one)).toBe(401);
    expect(await logIn(other)).toBe(201);
    expect(await logIn(outside)).toBe(201);
  });

  it('are counted whatever source address it claims', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '127.0.0.1'])
      await fail(one, 1, { 'X-Forwarded-For': address });
    expect(await logIn(one, DEMO_PASSWORD, { 'X-Forwarded-For': '192.0.2.3' })).toBe(401);
  });

  it('lock nobody out whose address it claims', async () => {
    const asOther = addressFor({ portId: 'port other' });
    for (const address of [asOther, '127.0.0.1', '192.0.2.9'])
      await fail(one, 3, { 'X-Forwarded-For': address, Forwarded: `for="[${address}]"` });
    expect(await logIn(other)).toBe(201);
    expect(await logIn(outside)).toBe(201);
    expect(await logIn(outside, DEMO_PASSWORD, { 'X-Forwarded-For': '192.0.2.9' })).toBe(201);
  });
});

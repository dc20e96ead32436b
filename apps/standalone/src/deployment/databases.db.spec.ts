import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { identityService } from '@cumulet/identity/service';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { connectedAdmin, ensureDatabase } from './databases.js';

let test: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  test = await createTestDatabase(identityService);
  admin = new pg.Client(test.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await test.drop();
});

/** The URL of a service of this name in the tests' Postgres. */
function urlOf(name: string, password: string): string {
  const url = new URL(test.url);
  url.username = name;
  url.password = password;
  url.pathname = name;
  return url.href;
}

async function owner(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      'SELECT current_user AS me, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()',
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

it('a database and its role are made once, and the role has the password of now', async () => {
  const name = `it's "${randomBytes(4).toString('hex')}`;
  try {
    for (const password of ["first'", 'second']) {
      const url = urlOf(name, password);
      await ensureDatabase(admin, url);
      await ensureDatabase(admin, url);
      expect(await owner(url)).toEqual({ me: name, owner: name });
    }
    await expect(owner(urlOf(name, "first'"))).rejects.toThrow('password authentication failed');
  } finally {
    const quoted = admin.escapeIdentifier(name);
    await admin.query(`DROP DATABASE IF EXISTS ${quoted}`);
    await admin.query(`DROP ROLE IF EXISTS ${quoted}`);
  }
});

it('an administrator who is not let in is told why, without the password', async () => {
  const { host } = new URL(test.url);
  await expect(connectedAdmin(host, 'hidden')).rejects.toThrow(
    `Postgres at ${host} refuses the password of the secrets: its databases were made with others`,
  );
  await expect(connectedAdmin('127.0.0.1:1', 'hidden')).rejects.toThrow(
    'Postgres at 127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
  );
});

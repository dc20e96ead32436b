import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { createLogger } from '@cumulet/common/observe/logger';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { IdentityConfig } from '../config.js';
import { CountingPasswords, testConfig } from '../identity.fixture.js';
import { PasswordRepository } from '../users/passwords/password.repository.js';
import { identityService } from '../service.js';
import { Keyring } from '../signing-keys/keyring.js';
import { KeyRotation } from '../signing-keys/signing-keys.sweep.js';
import { users } from '../users/user.repository.js';
import { Bootstrap } from './bootstrap.js';
import { SeedCatalog } from './seed-catalog.js';
import { SeedDirectory, SeedPasswords } from './seed-directory.js';

/** Services of the tests' settings. */
const SERVICE_USERS = ['compute', 'orchestration'];

const TABLES = [
  'domains',
  'projects',
  'users',
  'roles',
  'role_assignments',
  'signing_keys',
  'regions',
  'services',
  'endpoints',
];

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let passwords: CountingPasswords;
let logged: string[];
let logger: Logger;

beforeEach(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
  passwords = new CountingPasswords();
  logged = [];
  logger = createLogger('identity', 'info', { write: (line) => void logged.push(line) });
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

function start(changes: Partial<IdentityConfig> = {}): Promise<void> {
  const config = testConfig(database.url, changes);
  const rotation = new KeyRotation(config, new Seal(config.secretKey));
  const directory = new SeedDirectory(
    new SeedPasswords(passwords, config, new PasswordRepository()),
  );
  const catalog = new SeedCatalog(config);
  return new Bootstrap(config, logger, rotation, directory, catalog).run(ctx);
}

/** Every row of every table that bootstrap writes. */
async function everything(): Promise<unknown[]> {
  const tables: unknown[] = [];
  for (const table of TABLES)
    tables.push(await dataSource.query(`SELECT * FROM ${table} ORDER BY 1`));
  return tables;
}

async function grants(): Promise<string[]> {
  const rows: { grant: string }[] = await dataSource.query(
    `SELECT concat_ws(' ', users.name, roles.name, 'on',
              COALESCE(projects.name, role_assignments.domain_id, 'system')) AS grant
       FROM role_assignments JOIN users ON users.id = user_id JOIN roles ON roles.id = role_id
       LEFT JOIN projects ON projects.id = project_id ORDER BY 1`,
  );
  return rows.map((row) => row.grant);
}

async function inferences(): Promise<string[]> {
  const rows: { inference: string }[] = await dataSource.query(
    `SELECT prior.name || ' implies ' || implied.name AS inference FROM role_inferences
       JOIN roles AS prior ON prior.id = prior_role_id
       JOIN roles AS implied ON implied.id = implied_role_id ORDER BY 1`,
  );
  return rows.map((row) => row.inference);
}

async function disableAll(): Promise<void> {
  for (const table of ['domains', 'projects', 'users'])
    await dataSource.query(`UPDATE ${table} SET enabled = false`);
}

/** The names of disabled rows. */
async function disabled(): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    `SELECT name FROM domains WHERE NOT enabled UNION ALL
     SELECT name FROM projects WHERE NOT enabled UNION ALL
     SELECT name FROM users WHERE NOT enabled`,
  );
  return rows.map(({ name }) => name);
}

async function accepts(name: string, password: string): Promise<boolean> {
  const account = await users.findAccount(ctx, {
    name,
    domain: { id: 'default' },
  });
  return passwords.verify(account?.passwordHash, password);
}

describe('bootstrap', () => {
  it('makes the domain, projects, users, roles and a signing key', async () => {
    await start();
    expect(await dataSource.query('SELECT id, name FROM domains ORDER BY id')).toEqual([
      { id: 'default', name: 'Default' },
      { id: 'stack-users', name: 'stack-users' },
    ]);
    expect(await grants()).toEqual(
      [
        'admin admin on admin',
        'admin admin on default',
        'admin admin on system',
        'demo member on demo',
        'demo reader on demo',
        'orchestration service on stack-users',
        ...SERVICE_USERS.map((name) => `${name} service on service`),
      ].sort(),
    );
    const ids: { id: string }[] = await dataSource.query('SELECT id FROM users');
    expect(ids.every(({ id }) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    await expect(new Keyring(sealOf()).load(ctx)).resolves.toBeUndefined();
  });

  it('changes nothing the second time, and runs no argon2', async () => {
    await start();
    const before = await everything();
    passwords.hash = () => Promise.reject(new Error('hashed'));
    await start();
    expect(await everything()).toEqual(before);
    expect(passwords.verifications).toBe(0);
    expect(logged).toEqual([]);
  });

  it('creates everything once if several processes start together', async () => {
    await Promise.all([start(), start(), start()]);
    const after = await everything();
    await start();
    expect(await everything()).toEqual(after);
    expect(after.map((rows) => (rows as unknown[]).length)).toEqual([2, 3, 4, 5, 8, 1, 1, 3, 9]);
  });

  it('makes immutable roles, of which one implies the next', async () => {
    await start();
    expect(await dataSource.query('SELECT DISTINCT options FROM roles')).toEqual([
      { options: { immutable: true } },
    ]);
    expect(await inferences()).toEqual(['admin implies member', 'member implies reader']);
  });

  it('keeps the changes of an administrator to roles', async () => {
    await start();
    await dataSource.query(`UPDATE roles SET options = '{}'`);
    await dataSource.query('DELETE FROM role_inferences');
    await start();
    expect(await dataSource.query('SELECT DISTINCT options FROM roles')).toEqual([{ options: {} }]);
    expect(await inferences()).toEqual([]);
  });

  it('restores the inferences of a missing role', async () => {
    await start();
    await dataSource.query('DELETE FROM role_inferences');
    await dataSource.query(
      `DELETE FROM role_assignments WHERE role_id = (SELECT id FROM roles WHERE name = 'reader')`,
    );
    await dataSource.query(`DELETE FROM roles WHERE name = 'reader'`);
    await start();
    expect(await inferences()).toEqual(['member implies reader']);
  });

  it('makes the project demo but no user without a password for it', async () => {
    await start({ demoPassword: undefined });
    expect(await dataSource.query(`SELECT name FROM projects WHERE name = 'demo'`)).toHaveLength(1);
    expect(await dataSource.query(`SELECT name FROM users WHERE name = 'demo'`)).toHaveLength(0);
  });

  it('applies a new value of a password setting to its user only', async () => {
    await start({ adminPassword: 'old', demoPassword: 'same' });
    await start({ adminPassword: 'new', demoPassword: 'same' });
    expect(await accepts('admin', 'old')).toBe(false);
    expect(await accepts('admin', 'new')).toBe(true);
    expect(await accepts('demo', 'same')).toBe(true);
  });

  it('keeps a password that was changed since, until the setting changes too', async () => {
    await start({ adminPassword: 'from the setting' });
    await dataSource.query(`UPDATE users SET password_hash = $1 WHERE name = 'admin'`, [
      await passwords.hash('chosen'),
    ]);
    await start({ adminPassword: 'from the setting' });
    expect(await accepts('admin', 'chosen')).toBe(true);
  });

  it('enables what the cloud requires, and logs it', async () => {
    await start();
    const before = await everything();
    await disableAll();
    await start();
    expect(await disabled()).toEqual(['demo', 'demo']);
    await dataSource.query('UPDATE projects SET enabled = true');
    await dataSource.query('UPDATE users SET enabled = true');
    expect(await everything()).toEqual(before);
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 'warn',
        enabled: {
          domains: ['Default', 'stack-users'],
          projects: expect.arrayContaining(['admin', 'service']),
          users: expect.arrayContaining(['admin', ...SERVICE_USERS]),
        },
      },
    ]);
  });

  it('gives a service with users a domain for them, with its role there only', async () => {
    const { services } = testConfig(database.url);
    const magnum = {
      user: 'clusters',
      type: 'container-infra',
      name: 'magnum',
      url: 'http://here',
    };
    const withClusters = { services: [...services, magnum] };
    await start(withClusters);
    expect((await grants()).filter((line) => line.startsWith('clusters '))).toEqual([
      'clusters service on cluster-trustees',
      'clusters service on service',
    ]);
    await disableAll();
    await start(withClusters);
    expect(await disabled()).toEqual(['demo', 'demo']);
  });

  it('enables with a project the projects above it', async () => {
    await start();
    await dataSource.query(
      `INSERT INTO projects (id, domain_id, name, ancestor_ids) VALUES ('above', 'default', 'above', '{}')`,
    );
    await dataSource.query(
      `UPDATE projects SET parent_id = 'above', ancestor_ids = '{above}' WHERE name = 'admin'`,
    );
    await disableAll();
    await start();
    expect(await disabled()).toEqual(['demo', 'demo']);
  });

  it('restores the roles of the users of settings', async () => {
    await start();
    const before = await grants();
    await dataSource.query('DELETE FROM role_assignments');
    await start();
    expect(await grants()).toEqual(before);
  });

  it('exempts the users of settings from lock-outs, except the demo user', async () => {
    await start();
    const rows: { name: string; options: object }[] = await dataSource.query(
      'SELECT name, options FROM users ORDER BY name',
    );
    const always = { ignore_lockout_failure_attempts: true, ignore_password_expiry: true };
    for (const { name, options } of rows) expect(options).toEqual(name === 'demo' ? {} : always);
  });

  it('keeps the options that an administrator has changed since', async () => {
    await start();
    await dataSource.query(`UPDATE users SET options = '{}' WHERE name IN ('admin', 'compute')`);
    await start({ adminPassword: 'new' });
    expect(
      await dataSource.query(`SELECT options FROM users WHERE name IN ('admin', 'compute')`),
    ).toEqual([{ options: {} }, { options: {} }]);
  });

  it('applies the rules for passwords, except the change on first use', async () => {
    const rules = { passwordExpiry: 30, passwordHistory: 2, passwordChangeOnFirstUse: true };
    await start({ ...rules, demoPassword: 'old' });
    await start({ ...rules, demoPassword: 'new' });
    expect(
      await dataSource.query(
        `SELECT name, password_expires_at > now() AS expires, password_set_at IS NOT NULL AS set,
                (SELECT count(*)::int FROM former_passwords WHERE user_id = users.id) AS formers
           FROM users WHERE name IN ('admin', 'demo') ORDER BY name`,
      ),
    ).toEqual([
      { name: 'admin', expires: null, set: true, formers: 0 },
      { name: 'demo', expires: true, set: true, formers: 1 },
    ]);
  });

  it('keeps the hash where only the digest of the setting is missing', async () => {
    await start();
    const hashes = (): Promise<unknown> =>
      dataSource.query('SELECT name, password_hash FROM users ORDER BY name');
    const before = await hashes();
    await dataSource.query('UPDATE users SET setting_digest = NULL');
    await start();
    expect(await hashes()).toEqual(before);
  });

  it('stores no password and no private key in plain text', async () => {
    await start({ adminPassword: 'plain to see' });
    const rows = JSON.stringify(await everything());
    expect(rows).not.toContain('plain to see');
    expect(rows).not.toContain('"d":');
  });

  it('names the setting if the secret key is wrong', async () => {
    await start();
    await expect(new Keyring(new Seal('another')).load(ctx)).rejects.toThrow(
      'neither IDENTITY_SECRET_KEY nor IDENTITY_OLD_SECRET_KEYS decrypts the signing keys',
    );
  });
});

function sealOf(): Seal {
  return new Seal(testConfig(database.url).secretKey);
}

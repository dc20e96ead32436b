/** The command against the real identity service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ADMIN_PASSWORD,
  DEMO_PASSWORD,
  login,
  projectScope,
  startIdentity,
  tokenIn,
  tokenOf,
  type TestIdentity,
} from '@cumulet/identity/identity.fixture';
import { parse } from 'yaml';
import { CommandError } from './command-error.js';
import { runCumulet, type Terminal } from './run.js';

let identity: TestIdentity;
let token: string;
let env: Record<string, string>;

beforeAll(async () => {
  identity = await startIdentity();
  token = await tokenOf(identity.client);
  env = {
    OS_AUTH_URL: `${identity.client.baseUrl}/v3`,
    OS_USERNAME: 'admin',
    OS_PASSWORD: ADMIN_PASSWORD,
    OS_PROJECT_NAME: 'admin',
    OS_REGION_NAME: 'RegionOne',
  };
});

afterAll(() => identity.stop());

interface Outcome {
  readonly exitCode: number;
  readonly printed: string;
  readonly said: readonly string[];
}

async function cumulet(
  args: readonly string[],
  { input = '', ...terminal }: Partial<Terminal> & { input?: string } = {},
  as: Record<string, string> = env,
): Promise<Outcome> {
  let printed = '';
  const said: string[] = [];
  const exitCode = await runCumulet(args, as, {
    readInput: () => Promise.resolve(input),
    print: (text) => {
      printed += text;
      return Promise.resolve();
    },
    say: (line) => said.push(line),
    interrupted: new AbortController().signal,
    ...terminal,
  });
  return { exitCode, printed, said };
}

interface Entry {
  readonly auth: Record<string, string>;
}

function entryOf({ printed }: Outcome, name: string): Entry {
  const entry = (parse(printed) as { clouds: Record<string, Entry> }).clouds[name];
  if (!entry) throw new Error(`no entry ${name}: ${printed}`);
  return entry;
}

async function names(collection: string): Promise<string[]> {
  const { body } = await identity.client.get(`/v3/${collection}`, { token });
  return (body as Record<string, { name: string }[]>)[collection]?.map(({ name }) => name) ?? [];
}

async function rolesOf(user: string, password: string, project: string): Promise<unknown> {
  const answer = await login(identity.client, { user, password, scope: projectScope(project) });
  return (tokenIn(answer)['roles'] as { name: string }[]).map(({ name }) => name).sort();
}

describe('cumulet project create', () => {
  it('prints the clouds.yaml entry that the new user logs in with', async () => {
    const outcome = await cumulet(['project', 'create', 'acme', '--description', 'roadrunners']);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.said).toEqual([
      expect.stringMatching(/^The project acme \([0-9a-f]{32}\) is there; acme has member in it$/),
    ]);
    const entry = entryOf(outcome, 'acme');
    expect(entry).toEqual({
      auth: {
        auth_url: `${identity.client.baseUrl}/v3`,
        username: 'acme',
        password: expect.stringMatching(/^[\w-]{24}$/),
        project_name: 'acme',
        user_domain_id: 'default',
        project_domain_id: 'default',
      },
      region_name: 'RegionOne',
      identity_api_version: 3,
    });
    expect(await rolesOf('acme', entry.auth['password'] ?? '', 'acme')).toEqual([
      'member',
      'reader',
    ]);
    const { body } = await identity.client.get('/v3/projects?name=acme', { token });
    expect(body).toMatchObject({ projects: [{ description: 'roadrunners', enabled: true }] });
  });

  it("sets the project as its user's default", async () => {
    const outcome = await cumulet(['project', 'create', 'homely']);
    const { password = '' } = entryOf(outcome, 'homely').auth;
    const unscoped = await login(identity.client, { user: 'homely', password });
    expect(tokenIn(unscoped)).toMatchObject({ project: { name: 'homely' } });
  });

  it('accepts names of user and roles, and a password from standard input', async () => {
    const args = ['project', 'create', 'zoo', '--user', 'keeper', '--password-stdin'];
    const roles = ['--role', 'reader', '--role', 'admin'];
    const outcome = await cumulet([...args, ...roles], { input: 'ein Löwe\n' });
    expect(entryOf(outcome, 'zoo').auth).toMatchObject({
      username: 'keeper',
      password: 'ein Löwe',
    });
    expect(await rolesOf('keeper', 'ein Löwe', 'zoo')).toEqual(['admin', 'member', 'reader']);
  });

  it.each(['id', 'name'] as const)('accepts a domain by its %s', async (by) => {
    const domain = { name: `domain of ${by}` };
    const created = await identity.client.post('/v3/domains', { token, body: { domain } });
    const { id } = (created.body as { domain: { id: string } }).domain;
    const chosen = by === 'id' ? id : domain.name;
    const outcome = await cumulet(['project', 'create', 'same', '--domain', chosen]);
    expect(entryOf(outcome, 'same').auth).toMatchObject({
      user_domain_id: id,
      project_domain_id: id,
    });
  });

  it('assigns a project to an existing user, without the password', async () => {
    const args = ['project', 'create', 'second', '--user', 'demo', '--existing-user'];
    const outcome = await cumulet(args);
    expect(entryOf(outcome, 'second').auth).not.toHaveProperty('password');
    expect(await rolesOf('demo', DEMO_PASSWORD, 'second')).toEqual(['member', 'reader']);
  });

  it('works for the administrator of a domain, in that domain', async () => {
    const north = { domain: { name: 'North' } };
    const created = await identity.client.post('/v3/domains', { token, body: north });
    const { id } = (created.body as { domain: { id: string } }).domain;
    const boss = await identity.client.post('/v3/users', {
      token,
      body: { user: { name: 'boss', domain_id: id, password: 'a password' } },
    });
    const { id: userId } = (boss.body as { user: { id: string } }).user;
    const roles = await identity.client.get('/v3/roles?name=admin', { token });
    const [role] = (roles.body as { roles: { id: string }[] }).roles;
    const grant = `/v3/domains/${id}/users/${userId}/roles/${role?.id ?? ''}`;
    await identity.client.put(grant, { token });
    const as = {
      OS_AUTH_URL: identity.client.baseUrl,
      OS_USER_ID: userId,
      OS_PASSWORD: 'a password',
      OS_DOMAIN_ID: id,
    };
    const outcome = await cumulet(['project', 'create', 'branch'], {}, as);
    expect(outcome.said).toEqual([expect.stringMatching(/^The project branch/)]);
    expect(entryOf(outcome, 'branch').auth).toMatchObject({ project_domain_id: id });
  });
});

describe('cumulet project create leaves nothing behind', () => {
  const gone = async (project: string): Promise<void> => {
    expect(await names('projects')).not.toContain(project);
    expect(await names('users')).not.toContain(project);
  };

  it('if the user already exists', async () => {
    const outcome = await cumulet(['project', 'create', 'fresh', '--user', 'demo']);
    expect(outcome).toEqual({
      exitCode: 1,
      printed: '',
      said: [
        expect.stringMatching(
          /^cumulet: A user with the name 'demo' exists already in the domain default\. To give it the project, use --existing-user, or name another with --user\. Removed again: the project fresh \([0-9a-f]{32}\)\.$/,
        ),
      ],
    });
    await gone('fresh');
    expect(await names('users')).toContain('demo');
  });

  it('if its output cannot be written', async () => {
    const print = (): Promise<void> => Promise.reject(new CommandError('Cannot write: EPIPE'));
    const outcome = await cumulet(['project', 'create', 'unread'], { print });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.said.join()).toMatch(
      /^cumulet: Cannot write: EPIPE\. Removed again: the user unread \(\S+\), the project unread \(\S+\)\.$/,
    );
    await gone('unread');
  });

  it.each([0, 1, 2, 3])('if it is interrupted before step %d', async (step) => {
    let looks = 0;
    const interrupted = new AbortController().signal;
    Object.defineProperty(interrupted, 'aborted', { get: () => looks++ >= step });
    const outcome = await cumulet(['project', 'create', 'hasty'], { interrupted });
    expect(outcome).toMatchObject({ exitCode: 1, printed: '' });
    expect(outcome.said.join()).toMatch(/^cumulet: Interrupted/);
    await gone('hasty');
  });

  it.each([
    [['--role', 'pilot'], 'There is no role pilot'],
    [['--domain', 'nowhere'], 'Could not find domain: nowhere.'],
    [['--existing-user'], 'There is no user early in the domain default'],
  ])('if something is missing (%#)', async (args, reason) => {
    const outcome = await cumulet(['project', 'create', 'early', ...args]);
    expect(outcome).toEqual({ exitCode: 1, printed: '', said: [`cumulet: ${reason}`] });
    await gone('early');
  });
});

describe('cumulet reports in one line, never with a password, that', () => {
  it('the project already exists', async () => {
    const outcome = await cumulet(['project', 'create', 'demo', '--user', 'somebody']);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.said).toEqual([
      "cumulet: A project with the name 'demo' exists already in the domain default.",
    ]);
    expect(await names('users')).not.toContain('somebody');
  });

  it('the user is not authorised', async () => {
    const demo = { OS_USERNAME: 'demo', OS_PASSWORD: DEMO_PASSWORD, OS_PROJECT_NAME: 'demo' };
    const outcome = await cumulet(['project', 'create', 'mine'], {}, { ...env, ...demo });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.said.join()).toMatch(
      /^cumulet: You are not authorized .* \(asked by OS_AUTH_URL\)$/,
    );
  });

  it('the password is wrong', async () => {
    const wrong = { ...env, OS_PASSWORD: 'hunter2' };
    const outcome = await cumulet(['project', 'create', 'mine'], {}, wrong);
    expect(outcome).toEqual({
      exitCode: 1,
      printed: '',
      said: ['cumulet: The request you have made requires authentication. (asked by OS_AUTH_URL)'],
    });
  });

  it('the cloud does not answer', async () => {
    const away = { ...env, OS_AUTH_URL: 'http://127.0.0.1:1/v3' };
    const outcome = await cumulet(['project', 'create', 'mine'], {}, away);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.said.join()).toMatch(
      /^cumulet: http:\/\/127\.0\.0\.1:1 does not answer .*ECONNREFUSED/,
    );
  });

  it.each([
    [['--password-stdin'], '--password-stdin: standard input is empty'],
    [
      ['--password-stdin', '--existing-user'],
      '--existing-user keeps the password that the user has: leave out --password-stdin',
    ],
    [['--password=hunter2'], "Unknown option '--password'"],
  ])('it is called incorrectly (%#)', async (args, reason) => {
    expect(await cumulet(['project', 'create', 'mine', ...args])).toEqual({
      exitCode: 2,
      printed: '',
      said: [`cumulet: ${reason} (cumulet --help)`],
    });
  });
});

describe('cumulet access-key unbound', () => {
  it('lists older unbound keys by id, user, project and time, but never a secret', async () => {
    const { body: named } = await identity.client.get('/v3/users?name=demo', { token });
    const [user] = (named as { users: [{ id: string }] }).users;
    const { body: owned } = await identity.client.get('/v3/projects?name=demo', { token });
    const [project] = (owned as { projects: [{ id: string }] }).projects;
    const path = `/v3/users/${user.id}/credentials/OS-EC2`;
    const made = await identity.client.post(path, { token, body: { tenant_id: project.id } });
    const { access, secret } = (made.body as { credential: { access: string; secret: string } })
      .credential;
    expect((await cumulet(['access-key', 'unbound'])).printed).toBe('ID  USER  PROJECT  CREATED\n');
    await identity.app.dataSource.query('UPDATE credentials SET is_maker_known = false');
    const { printed, exitCode } = await cumulet(['access-key', 'unbound']);
    const [, row = ''] = printed.split('\n');
    expect([exitCode, row]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^[0-9a-f]{64}  demo \\(${user.id}\\)  demo \\(${project.id}\\)  \\d{4}-\\d\\d-\\d\\dT[\\d:]{8}$`,
        ),
      ),
    ]);
    const { printed: json } = await cumulet(['access-key', 'unbound', '--json']);
    expect(JSON.parse(json)).toMatchObject({ access_keys: [{ user_id: user.id }] });
    for (const hidden of [access, secret]) expect(printed + json).not.toContain(hidden);
  });
});

describe('cumulet bucket usage', () => {
  it('reports that the cloud has no S3', async () => {
    expect(await cumulet(['bucket', 'usage'])).toEqual({
      exitCode: 1,
      printed: '',
      said: ['cumulet: The catalog has no service s3 for OS_AUTH_URL'],
    });
  });

  it('asks the S3 service in the catalog as the current user', async () => {
    const { body } = await identity.client.get('/v3/projects?name=admin', { token });
    const [{ id }] = (body as { projects: [{ id: string }] }).projects;
    const usage = {
      project_id: id,
      objects: 2,
      bytes: 30,
      buckets: [{ name: 'a-bucket', objects: 2, bytes: 30 }],
    };
    const asked: unknown[] = [];
    const s3 = createServer(({ url, headers }, response) => {
      asked.push([url, typeof headers['x-auth-token']]);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ projects: [usage] }));
    });
    await once(s3.listen(0, '127.0.0.1'), 'listening');
    const { port } = s3.address() as AddressInfo;
    try {
      await offerS3(`http://127.0.0.1:${port}`);
      expect(await cumulet(['bucket', 'usage'])).toEqual({
        exitCode: 0,
        said: [],
        printed:
          'PROJECT  BUCKET    OBJECTS  BYTES\n' +
          'admin    (all)           2     30\n' +
          'admin    a-bucket        2     30\n',
      });
      const { printed } = await cumulet(['bucket', 'usage', '--json']);
      expect(JSON.parse(printed)).toEqual({ projects: [usage] });
      expect(asked).toEqual([
        ['/-/usage', 'string'],
        ['/-/usage', 'string'],
      ]);
    } finally {
      s3.close();
    }
  });

  async function offerS3(url: string): Promise<void> {
    const service = { type: 's3', name: 's3' };
    const created = await identity.client.post('/v3/services', { token, body: { service } });
    const { id } = (created.body as { service: { id: string } }).service;
    const endpoint = { service_id: id, interface: 'public', region_id: 'RegionOne', url };
    await identity.client.post('/v3/endpoints', { token, body: { endpoint } });
  }
});

describe('cumulet --help', () => {
  it('lists the commands', async () => {
    const { exitCode, printed, said } = await cumulet(['--help']);
    expect({ exitCode, said }).toEqual({ exitCode: 0, said: [] });
    expect(printed).toMatch(/^ {2}project create NAME {2}create a project/m);
  });

  it('explains the options of a command', async () => {
    const { exitCode, printed } = await cumulet(['project', 'create', '--help']);
    expect(exitCode).toBe(0);
    expect(printed).toMatch(/^Usage: cumulet project create NAME \[OPTION\.\.\.\]\n/);
    expect(printed).toMatch(/^ {2}--existing-user {2,}\S/m);
  });
});

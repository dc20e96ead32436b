import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  startIdentity,
  tokenOf,
  type TestIdentity,
  resourceIn,
  type OnWire,
} from '../identity.fixture.js';
import { changeUser, makeUser, PASSWORD, tokenOfUser } from './user.fixture.js';

let identity: TestIdentity;
let admin: string;

beforeAll(async () => {
  identity = await startIdentity();
  admin = await tokenOf(identity.client);
});
afterAll(() => identity.stop());

const create = (user: object): Promise<{ status: number; text: string }> =>
  identity.client.post('/v3/users', { token: admin, body: { user } });

async function read(id: string): Promise<OnWire> {
  return resourceIn(await identity.client.get(`/v3/users/${id}`, { token: admin }), 'user');
}

describe('POST /v3/users', () => {
  it('answers 201 with the user, and without its password', async () => {
    const response = await identity.client.post('/v3/users', {
      token: admin,
      body: { user: { name: ' ann ', password: PASSWORD, email: 'ann@example.com' } },
    });
    expect(response.status).toBe(201);
    const { id } = resourceIn(response, 'user');
    expect(response.body).toEqual({
      user: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'ann',
        domain_id: 'default',
        description: '',
        enabled: true,
        email: 'ann@example.com',
        password_expires_at: null,
        options: {},
        links: { self: `${identity.client.baseUrl}/v3/users/${id}` },
      },
    });
    expect(await read(id)).toEqual(resourceIn(response, 'user'));
  });

  it('keeps everything that a user can be given', async () => {
    const project = await identity.app.dataSource.query<{ id: string }[]>(
      `SELECT id FROM projects WHERE name = 'demo'`,
    );
    const fields = {
      description: 'A user.',
      enabled: false,
      default_project_id: project[0]?.id,
      options: { lock_password: true, ignore_password_expiry: false },
      phone: ['1', '2'],
    };
    const { id } = await makeUser(identity, admin, fields);
    expect(await read(id)).toMatchObject(fields);
  });

  it.each([{ password: null }, {}])('makes a user without a password: %j', async (password) => {
    expect(
      (await create({ name: `without ${JSON.stringify(password)}`, ...password })).status,
    ).toBe(201);
  });

  it('does not take an id, links or an expiry from its client', async () => {
    const given = { id: 'x', links: {}, password_expires_at: '2000-01-01T00:00:00.000000' };
    const user = await makeUser(identity, admin, given);
    expect(user.id).not.toBe('x');
    expect(user['password_expires_at']).toBeNull();
    expect(
      await identity.app.dataSource.query('SELECT extra FROM users WHERE id = $1', [user.id]),
    ).toEqual([{ extra: {} }]);
  });

  it('answers 409 with the name that another user of the domain has', async () => {
    const response = await create({ name: 'admin' });
    expect(response.status).toBe(409);
    expect(response.text).toContain(
      "A user with the name 'admin' exists already in the domain default.",
    );
  });

  it('answers 404 for an unknown domain', async () => {
    const response = await create({ name: 'homeless', domain_id: 'nowhere' });
    expect(response.status).toBe(404);
    expect(response.text).toContain('Could not find domain: nowhere.');
  });

  it.each<[string, object]>([
    ['user.name is required', {}],
    ['user.name must be', { name: '' }],
    ['user.name must not be blank', { name: '  ' }],
    ['user.name must be', { name: 'n'.repeat(256) }],
    ['user.enabled must be', { name: 'n', enabled: 'perhaps' }],
    ['user.password must be', { name: 'n', password: '' }],
    ['user.password must be', { name: 'n', password: 'p'.repeat(4097) }],
    ['user.password must be', { name: 'n', password: 5 }],
    ["user.default_project_id 'x' is not the id", { name: 'n', default_project_id: 'x' }],
    ['user.default_project_id', { name: 'n', default_project_id: 'default' }],
    ['user.domain_id must be', { name: 'n', domain_id: null }],
    ['user.options.lock_password must be', { name: 'n', options: { lock_password: 'yes' } }],
    ['user.options.none is not a property', { name: 'n', options: { none: true } }],
    [
      'user.options.multi_factor_auth_enabled must be',
      { name: 'n', options: { multi_factor_auth_enabled: 'yes' } },
    ],
    [
      'user.options.ignore_user_inactivity is not supported',
      { name: 'n', options: { ignore_user_inactivity: true } },
    ],
    ['user.federated is not supported', { name: 'n', federated: [] }],
    ['must hold neither a null character', { name: 'n\0' }],
  ])('answers 400: %s', async (message, user) => {
    const response = await create(user);
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
  });
});

describe('the rules for several factors', () => {
  const both = ['password', 'totp'];

  it.each<[string, unknown]>([
    ['text', 'password'],
    ['one rule', both],
    ['an empty one', [[]]],
    ['one twice', [both, ['password'], both]],
    ['a method twice', [['password', 'password']]],
    ['a number', [[1]]],
    ['a name of no method', [['a b']]],
    ['too many', Array.from({ length: 33 }, (_, at) => [`m${at}`])],
  ])('must be lists of methods, not %s', async (_, rules) => {
    const response = await create({ name: 'n', options: { multi_factor_auth_rules: rules } });
    expect(response.status).toBe(400);
    expect(response.text).toContain('user.options.multi_factor_auth_rules must be a list');
  });

  it('are shown as they were given', async () => {
    const options = { multi_factor_auth_rules: [both], multi_factor_auth_enabled: true };
    const user = await makeUser(identity, admin, { options });
    expect(user['options']).toEqual(options);
  });
});

describe('an option of what is not offered', () => {
  const asItIs = {
    ignore_user_inactivity: false,
    multi_factor_auth_rules: [],
    multi_factor_auth_enabled: false,
  };

  it('is kept where it asks for what is the case, until it is taken back', async () => {
    const user = await makeUser(identity, admin, { options: asItIs });
    expect(user['options']).toEqual(asItIs);
    const nulls = { ignore_user_inactivity: null, multi_factor_auth_rules: null };
    const changed = await changeUser(identity, admin, user.id, { options: nulls });
    expect(resourceIn(changed, 'user')['options']).toEqual({ multi_factor_auth_enabled: false });
  });

  it.each(Object.entries(asItIs))('can be set later: %s', async (name, value) => {
    const { id } = await makeUser(identity, admin);
    const response = await changeUser(identity, admin, id, { options: { [name]: value } });
    expect(response.status).toBe(200);
    expect((await read(id))['options']).toEqual({ [name]: value });
  });
});

describe('GET /v3/users/{user_id}', () => {
  it('shows users to administrators and to themselves', async () => {
    const user = await makeUser(identity, admin);
    const token = await tokenOfUser(identity, user.id);
    const own = await identity.client.get(`/v3/users/${user.id}`, { token });
    expect(own.body).toEqual({ user });
    const other = await makeUser(identity, admin);
    const foreign = await identity.client.get(`/v3/users/${other.id}`, { token });
    expect(foreign.status).toBe(403);
  });

  it('answers 404 for an unknown user', async () => {
    const response = await identity.client.get('/v3/users/nobody', { token: admin });
    expect(response.status).toBe(404);
    expect(response.text).toContain('Could not find user: nobody.');
  });

  it('answers HEAD as well', async () => {
    const { id } = await makeUser(identity, admin);
    const response = await identity.client.send('HEAD', `/v3/users/${id}`, { token: admin });
    expect(response.status).toBe(200);
  });
});

describe('PATCH /v3/users/{user_id}', () => {
  it('changes what it names, and nothing else', async () => {
    const before = await makeUser(identity, admin, {
      description: 'before',
      email: 'a@example.com',
      phone: '1',
      options: { lock_password: true, ignore_password_expiry: true },
    });
    const change = { email: 'b@example.com', options: { lock_password: null } };
    const response = await changeUser(identity, admin, before.id, change);
    expect(response.status).toBe(200);
    const after = {
      ...before,
      email: 'b@example.com',
      options: { ignore_password_expiry: true },
    };
    expect(resourceIn(response, 'user')).toEqual(after);
    expect(await read(before.id)).toEqual(after);
  });

  it('takes back a description and a default project', async () => {
    const { id } = await makeUser(identity, admin, { description: 'before' });
    const change = { description: null, default_project_id: null };
    expect(resourceIn(await changeUser(identity, admin, id, change), 'user')).toMatchObject({
      description: '',
    });
  });

  it('accepts what a client has read', async () => {
    const user = await makeUser(identity, admin, { email: 'a@example.com' });
    const response = await changeUser(identity, admin, user.id, { ...user, name: user.name });
    expect(resourceIn(response, 'user')).toEqual(user);
  });

  it('answers 400 to another domain', async () => {
    const { id } = await makeUser(identity, admin);
    const response = await changeUser(identity, admin, id, { domain_id: 'other' });
    expect(response.status).toBe(400);
    expect(response.text).toContain('user.domain_id cannot be changed');
  });

  it('answers 400 to another id', async () => {
    const { id } = await makeUser(identity, admin);
    expect((await changeUser(identity, admin, id, { id: 'x', name: 'n' })).status).toBe(400);
  });

  it('answers 400 to nothing', async () => {
    const { id } = await makeUser(identity, admin);
    expect((await changeUser(identity, admin, id, {})).status).toBe(400);
  });

  it('answers 409 with a name that is taken', async () => {
    const { id } = await makeUser(identity, admin);
    const response = await changeUser(identity, admin, id, { name: 'demo' });
    expect(response.status).toBe(409);
    expect(response.text).toContain("'demo'");
  });

  it('answers 404 for an unknown user', async () => {
    expect((await changeUser(identity, admin, 'nobody', { name: 'n' })).status).toBe(404);
  });
});

describe('DELETE /v3/users/{user_id}', () => {
  it('answers 204, and 404 from then on', async () => {
    const { id } = await makeUser(identity, admin);
    const remove = async (): Promise<number> =>
      (await identity.client.delete(`/v3/users/${id}`, { token: admin })).status;
    expect(await remove()).toBe(204);
    expect(await remove()).toBe(404);
  });
});

describe('a user', () => {
  it('can neither delete nor disable itself', async () => {
    const [own] = await identity.app.dataSource.query<{ id: string }[]>(
      `SELECT id FROM users WHERE name = 'admin'`,
    );
    const id = own?.id ?? '';
    const disabled = await changeUser(identity, admin, id, { enabled: false });
    const deleted = await identity.client.delete(`/v3/users/${id}`, { token: admin });
    expect([disabled.status, deleted.status]).toEqual([409, 409]);
    expect(disabled.text).toContain('cannot disable itself');
    expect(deleted.text).toContain('cannot delete itself');
    expect((await read(id))['enabled']).toBe(true);
  });
});

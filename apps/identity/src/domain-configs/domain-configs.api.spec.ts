import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCatalog, type CatalogWorld } from '../catalog/catalog.fixture.js';
import { messageOf } from '../identity.fixture.js';

const LDAP = { url: 'ldap://directory.example', user_tree_dn: 'ou=people' };
const CONFIG = { identity: { driver: 'ldap' }, ldap: LDAP };
const SECRET = 'the password of the directory';

let world: CatalogWorld;
let path: string;

beforeAll(async () => {
  world = await startCatalog();
});
afterAll(() => world.identity.stop());

beforeEach(async () => {
  const { id } = await world.made('domains', 'domain', { name: `domain ${path}` });
  path = `domains/${String(id)}/config`;
});

const put = (config: object): ReturnType<CatalogWorld['ask']> => world.ask('PUT', path, { config });
const get = async (below = ''): Promise<unknown> => (await world.ask('GET', path + below)).body;

describe('PUT /v3/domains/{domain_id}/config', () => {
  it('answers 201 to the first, 200 to each that replaces it', async () => {
    const first = await put(CONFIG);
    expect([first.status, first.body]).toEqual([201, { config: CONFIG }]);
    const second = await put({ ldap: { url: 'other' } });
    expect([second.status, second.body]).toEqual([200, { config: { ldap: { url: 'other' } } }]);
    expect(await get()).toEqual({ config: { ldap: { url: 'other' } } });
  });

  it.each<[object, string]>([
    [{}, 'No options specified'],
    [{ ldap: {} }, 'The value of group ldap must be an object of options'],
    [{ ldap: [1] }, 'The value of group ldap must be an object of options'],
    [{ oslo: { a: 1 } }, 'Group oslo is not supported'],
    [{ ldap: { pass: 1 } }, 'Option pass in group ldap is not supported'],
  ])('refuses %j with 403, as Keystone does', async (config, reason) => {
    const response = await put(config);
    expect(response.status).toBe(403);
    expect(messageOf(response)).toContain(`Invalid domain specific configuration: ${reason}`);
  });

  it('refuses values other than objects', async () => {
    expect((await world.ask('PUT', path, { config: [] })).status).toBe(400);
    expect((await world.ask('PUT', path, {})).status).toBe(400);
  });

  it('answers 404 for an unknown domain', async () => {
    const response = await world.ask('PUT', 'domains/nowhere/config', { config: CONFIG });
    expect(response.status).toBe(404);
    expect(messageOf(response)).toBe('Could not find domain: nowhere.');
  });

  it('accepts any JSON as a value', async () => {
    const ldap = { user_attribute_ignore: ['a', null, { b: 1 }], url: 'a\0b', page_size: 0 };
    await put({ ldap });
    expect(await get()).toEqual({ config: { ldap } });
  });
});

describe('a sensitive option', () => {
  beforeEach(() => put({ ldap: { ...LDAP, password: SECRET } }));

  it('is never shown', async () => {
    expect(await get()).toEqual({ config: { ldap: LDAP } });
    expect((await world.ask('GET', `${path}/ldap/password`)).status).toBe(404);
    const change = { config: { ldap: { password: 'another' } } };
    for (const response of [
      await world.ask('PATCH', path, change),
      await world.ask('PATCH', `${path}/ldap/password`, { config: { password: SECRET } }),
      await put({ ldap: { password: SECRET } }),
    ]) {
      expect(response.status).toBe(200);
      expect(response.text).not.toContain('password');
    }
  });

  it('is sealed in its row', async () => {
    const rows: unknown = await world.identity.app.dataSource.query('SELECT * FROM domain_configs');
    expect(JSON.stringify(rows)).not.toMatch(/password|ldap/);
  });

  it('can be deleted', async () => {
    const remove = async (): Promise<number> =>
      (await world.ask('DELETE', `${path}/ldap/password`)).status;
    expect([await remove(), await remove()]).toEqual([204, 404]);
  });
});

describe('a part of a configuration', () => {
  beforeEach(() => put(CONFIG));

  it('is shown by group and by option', async () => {
    expect(await get('/ldap')).toEqual({ config: { ldap: LDAP } });
    expect(await get('/ldap/url')).toEqual({ config: { url: LDAP.url } });
  });

  it('changes, and nothing else does', async () => {
    const change = async (below: string, config: object): Promise<unknown> =>
      (await world.ask('PATCH', path + below, { config })).body;
    const ldap = { ...LDAP, url: 'b' };
    expect(await change('/ldap/url', { url: 'a' })).toMatchObject({
      config: { ldap: { url: 'a' } },
    });
    expect(await change('/ldap', { ldap: { url: 'b' } })).toEqual({ config: { ...CONFIG, ldap } });
    expect(await change('', { identity: { list_limit: 5 } })).toEqual({
      config: { identity: { driver: 'ldap', list_limit: 5 }, ldap },
    });
  });

  it.each([
    ['/identity', { ldap: { url: 'a' } }],
    ['/ldap', { ldap: { url: 'a' }, identity: { driver: 'sql' } }],
    ['/ldap/url', { user_tree_dn: 'a' }],
    ['/ldap/url', { url: 'a', user_tree_dn: 'a' }],
  ])('is all that the body of PATCH %s names', async (below, config) => {
    expect((await world.ask('PATCH', path + below, { config })).status).toBe(403);
  });

  it('is deleted, and then not found', async () => {
    for (const below of ['/ldap/url', '/identity', '']) {
      expect((await world.ask('DELETE', path + below)).status).toBe(204);
      for (const method of ['GET', 'PATCH', 'DELETE'].slice(0, below === '' ? 1 : 3)) {
        const config = below === '/identity' ? { identity: { driver: 'a' } } : { url: 'a' };
        const body = method === 'PATCH' ? { config } : undefined;
        expect((await world.ask(method, path + below, body)).status).toBe(404);
      }
    }
  });

  it('is deleted with its domain', async () => {
    const domain = path.replace('/config', '');
    await world.ask('PATCH', domain, { domain: { enabled: false } });
    expect((await world.ask('DELETE', domain)).status).toBe(204);
    expect((await world.ask('GET', path)).status).toBe(404);
  });

  it('is distinguished from an unknown one', async () => {
    for (const group of ['oslo', 'valueOf'])
      expect((await world.ask('GET', `${path}/${group}`)).status).toBe(403);
    expect((await world.ask('DELETE', `${path}/ldap/pass`)).status).toBe(403);
  });
});

describe('GET /v3/domains/config/default', () => {
  it('shows all options but the sensitive ones, by group and by option too', async () => {
    const all = (await world.ask('GET', 'domains/config/default')).body as {
      config: Record<string, object>;
    };
    expect(all.config['identity']).toEqual({ driver: 'sql', list_limit: null });
    expect(Object.keys(all.config['ldap'] ?? {})).toHaveLength(49);
    const group = await world.ask('GET', 'domains/config/ldap/default');
    expect(group.body).toEqual({ config: { ldap: all.config['ldap'] } });
    const option = await world.ask('GET', 'domains/config/ldap/url/default');
    expect(option.body).toEqual({ config: { url: 'ldap://localhost' } });
  });

  it.each(['oslo', 'ldap/pass', 'ldap/password'])('refuses %s', async (what) => {
    expect((await world.ask('GET', `domains/config/${what}/default`)).status).toBe(403);
  });
});

describe('GET /v3/domains/{domain_id}/config/security_compliance', () => {
  const rules = 'domains/default/config/security_compliance';

  it('shows everybody the rules for passwords', async () => {
    const response = await world.ask('GET', rules, undefined, world.member);
    expect(response.body).toEqual({
      config: { security_compliance: { password_regex: null, password_regex_description: null } },
    });
    const one = await world.ask('GET', `${rules}/password_regex`, undefined, world.member);
    expect(one.body).toEqual({ config: { password_regex: null } });
  });

  it('has no other options', async () => {
    const response = await world.ask('GET', `${rules}/lockout_duration`, undefined, world.member);
    expect(response.status).toBe(404);
  });
});

/** Domains, as administrators manage them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  grant,
  onDomain,
  onProject,
  startGrantWorld,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;
/** An administrator and a reader of the domain acme. */
let boss: string;
let reader: string;

beforeAll(async () => {
  world = await startGrantWorld();
  await grant(world, 'domains/acme/users/boss/roles/admin');
  await grant(world, 'domains/acme/users/alice/roles/reader');
  await grant(world, 'projects/side/users/bob/roles/member');
  boss = await tokenFor(world, 'boss', onDomain('acme'));
  reader = await tokenFor(world, 'alice', onDomain('acme'));
});
afterAll(() => world.identity.stop());

interface Shown {
  readonly id: string;
  readonly name: string;
}

const send = (
  method: string,
  path: string,
  domain?: object,
  token = world.admin,
): Promise<TestResponse> =>
  world.client.send(method, `/v3/domains${path}`, {
    token,
    body: domain && { domain },
  });

const create = (domain: object, token?: string): Promise<TestResponse> =>
  send('POST', '', domain, token);

const messageOf = ({ body }: TestResponse): string =>
  (body as { error: { message: string } }).error.message;

async function made(domain: object): Promise<Shown> {
  const response = await create(domain);
  expect([response.text, response.status]).toEqual([response.text, 201]);
  return (response.body as { domain: Shown }).domain;
}

async function names(query = '', token?: string): Promise<string[]> {
  const response = await send('GET', query, undefined, token);
  expect(response.status).toBe(200);
  return (response.body as { domains: Shown[] }).domains.map(({ name }) => name);
}

describe('a new domain', () => {
  it('is shown with what it was given', async () => {
    const given = { name: 'given', description: 'A domain.', enabled: false, tags: ['b', 'a'] };
    const domain = await made({ ...given, options: { immutable: false } });
    expect(domain).toEqual({
      ...given,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      options: { immutable: false },
      links: { self: `${world.client.baseUrl}/v3/domains/${domain.id}` },
    });
    expect((await send('GET', `/${domain.id}`)).body).toEqual({ domain });
  });

  it('is enabled and blank by default', async () => {
    const blank = { description: '', enabled: true, tags: [], options: {} };
    expect(await made({ name: 'blank' })).toMatchObject(blank);
    expect(await made({ name: 'null', description: null })).toMatchObject(blank);
  });

  it('has its name without the space around it', async () => {
    expect(await made({ name: ' spacious ' })).toMatchObject({ name: 'spacious' });
  });

  it('has a unique name', async () => {
    const response = await create({ name: 'Acme' });
    expect(response.status).toBe(409);
    expect(messageOf(response)).toBe("A domain with the name 'Acme' exists already.");
    expect(await made({ name: 'acme' })).toMatchObject({ name: 'acme' });
  });

  it('has the id that is asked for', async () => {
    const id = 'c0ffee'.repeat(6).slice(0, 32);
    expect(await made({ name: 'explicit', explicit_domain_id: id })).toMatchObject({ id });
    const again = await create({ name: 'again', explicit_domain_id: id });
    expect(again.status).toBe(409);
    expect(messageOf(again)).toContain(id);
  });

  it('cannot have the id of a project', async () => {
    const id = '0123456789abcdef'.repeat(2);
    await world.identity.app.dataSource.query(
      `INSERT INTO projects (id, domain_id, name) VALUES ($1, 'acme', 'numbered')`,
      [id],
    );
    expect((await create({ name: 'numbered', explicit_domain_id: id })).status).toBe(409);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' ' }],
    ['a name of 65 characters', { name: 'a'.repeat(65) }],
    ['a name that is no text', { name: 7 }],
    ['a description of 256 characters', { name: 'x', description: 'a'.repeat(256) }],
    ['an unknown option', { name: 'x', options: { colour: 'blue' } }],
    ['a switch that is none', { name: 'x', enabled: 'perhaps' }],
    ['a tag with a comma', { name: 'x', tags: ['a,b'] }],
    ['a tag twice', { name: 'x', tags: ['a', 'a'] }],
    ['an id with dashes', { name: 'x', explicit_domain_id: crypto.randomUUID() }],
    ['an id in upper case', { name: 'x', explicit_domain_id: 'A'.repeat(32) }],
  ])('is refused with %s', async (_, domain) => {
    expect((await create(domain)).status).toBe(400);
  });

  it('stores further properties, as Keystone does', async () => {
    const { id } = await made({ name: 'coloured', colour: 'blue' });
    const changed = await send('PATCH', `/${id}`, { shade: 'light' });
    expect(changed.body).toMatchObject({ domain: { colour: 'blue', shade: 'light' } });
  });

  it('cannot be created by the administrator of another domain', async () => {
    expect((await create({ name: 'forbidden' }, boss)).status).toBe(403);
  });
});

describe('the list of domains', () => {
  it('is of those with the name, and of those in the state', async () => {
    await made({ name: 'asleep', enabled: false });
    expect(await names('?name=Acme')).toEqual(['Acme']);
    expect(await names('?name=nobody')).toEqual([]);
    expect(await names('?enabled=false')).toContain('asleep');
    expect(await names('?enabled=true')).not.toContain('asleep');
  });

  it('comes in pages', async () => {
    const all = await names();
    const first = await send('GET', '?limit=2');
    const { domains, links, truncated } = first.body as {
      domains: Shown[];
      links: { next: string };
      truncated: boolean;
    };
    expect(domains.map(({ name }) => name)).toEqual(all.slice(0, 2));
    expect(truncated).toBe(true);
    expect(links.next).toBe(`${world.client.baseUrl}/v3/domains?limit=2&marker=${domains[1]?.id}`);
    const next = links.next.slice(`${world.client.baseUrl}/v3/domains`.length);
    expect(await names(next)).toEqual(all.slice(2, 4));
    expect((await send('GET', '?marker=nobody')).status).toBe(404);
  });

  it('has only its own domain for a reader of a domain', async () => {
    expect(await names('', reader)).toEqual(['Acme']);
    expect(await names('?name=Globex', reader)).toEqual([]);
    expect((await send('GET', '?marker=globex', undefined, reader)).status).toBe(404);
  });

  it('is refused to the user of a project', async () => {
    const bob = await tokenFor(world, 'bob', onProject('side'));
    expect((await send('GET', '', undefined, bob)).status).toBe(403);
  });
});

describe('a domain', () => {
  it('is shown to whoever has a token of it, or of a project in it', async () => {
    const bob = await tokenFor(world, 'bob', onProject('side'));
    for (const token of [boss, reader, bob]) {
      expect((await send('GET', '/acme', undefined, token)).status).toBe(200);
      expect((await send('GET', '/globex', undefined, token)).status).toBe(403);
    }
  });

  it('is not found if it does not exist', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined;
      const response = await send(method, '/nowhere', body);
      expect([method, response.status]).toEqual([method, 404]);
      expect(messageOf(response)).toBe('Could not find domain: nowhere.');
    }
  });

  it('changes only in the given properties', async () => {
    const { id } = await made({ name: 'before', description: 'Old.', tags: ['old'] });
    const change = { name: 'after', tags: ['new'], options: { immutable: false } };
    const response = await send('PATCH', `/${id}`, { ...change, id });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ domain: { ...change, id, description: 'Old.' } });
    expect((await send('GET', `/${id}`)).body).toEqual(response.body);
    const cleared = await send('PATCH', `/${id}`, {
      description: null,
      options: { immutable: null },
    });
    expect(cleared.body).toMatchObject({ domain: { name: 'after', description: '', options: {} } });
  });

  it.each([
    ['nothing', {}],
    ['another id', { id: 'other' }],
    ['a name of nothing', { name: null }],
  ])('is not changed by a body with %s', async (_, change) => {
    expect((await send('PATCH', '/globex', change)).status).toBe(400);
  });

  it('keeps its name if the new one is in use', async () => {
    const response = await send('PATCH', '/globex', { name: 'Acme' });
    expect(response.status).toBe(409);
    expect(messageOf(response)).toContain("'Acme'");
    expect(await names('?name=Globex')).toEqual(['Globex']);
  });

  it('cannot be changed or deleted by its own administrator', async () => {
    expect((await send('PATCH', '/acme', { name: 'mine' }, boss)).status).toBe(403);
    expect((await send('DELETE', '/acme', undefined, boss)).status).toBe(403);
  });
});

describe('an immutable domain', () => {
  it('is neither changed nor deleted before it is mutable', async () => {
    const { id } = await made({ name: 'fixed', enabled: false, options: { immutable: true } });
    const both = { name: 'loose', options: { immutable: false } };
    for (const change of [{ name: 'loose' }, { enabled: true }, both]) {
      const response = await send('PATCH', `/${id}`, change);
      expect([change, response.status]).toEqual([change, 403]);
      expect(messageOf(response)).toContain('immutable');
    }
    expect((await send('DELETE', `/${id}`)).status).toBe(403);
    expect((await send('PATCH', `/${id}`, { options: { immutable: false } })).status).toBe(200);
    expect((await send('PATCH', `/${id}`, { name: 'loose' })).status).toBe(200);
    expect((await send('DELETE', `/${id}`)).status).toBe(204);
  });
});

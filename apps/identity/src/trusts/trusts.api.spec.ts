import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { login, signedIn } from '../identity.fixture.js';
import { messageOf, startDelegation, unwrap, type Delegation } from './delegation.fixture.js';

const TRUSTS = '/v3/OS-TRUST/trusts';

let world: Delegation;

beforeAll(async () => {
  world = await startDelegation();
});
afterAll(() => world.identity.stop());

/** demo lets compute act as a member of its project. */
function post(trust: object = {}, token = world.tokens.demo): Promise<TestResponse> {
  return world.identity.client.post(TRUSTS, {
    token,
    body: {
      trust: {
        trustor_user_id: world.id('user demo'),
        trustee_user_id: world.id('user compute'),
        project_id: world.id('project demo'),
        impersonation: false,
        roles: [{ name: 'member' }],
        ...trust,
      },
    },
  });
}

async function create(trust: object = {}, token?: string): Promise<Record<string, unknown>> {
  return unwrap(await post(trust, token), 'trust');
}

const ask = (method: string, path: string, token = world.tokens.demo): Promise<TestResponse> =>
  world.identity.client.send(method, `${TRUSTS}${path}`, { token });

const pathOf = ({ id }: Record<string, unknown>): string => `/${String(id)}`;

describe('POST /v3/OS-TRUST/trusts', () => {
  it('answers 201 with the trust', async () => {
    const response = await post({ impersonation: true });
    expect(response.status).toBe(201);
    const { baseUrl } = world.identity.client;
    const trust = unwrap(response, 'trust');
    const self = `${baseUrl}${TRUSTS}/${String(trust['id'])}`;
    const role = world.id('role member');
    expect(trust).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      trustor_user_id: world.id('user demo'),
      trustee_user_id: world.id('user compute'),
      project_id: world.id('project demo'),
      impersonation: true,
      expires_at: null,
      remaining_uses: null,
      redelegated_trust_id: null,
      redelegation_count: 0,
      deleted_at: null,
      roles: [
        expect.objectContaining({
          id: role,
          name: 'member',
          links: { self: `${baseUrl}/v3/roles/${role}` },
        }),
      ],
      roles_links: { self: `${self}/roles`, next: null, previous: null },
      links: { self },
    });
  });

  it('takes roles by id, and an expiry to the microsecond', async () => {
    const trust = await create({
      roles: [{ id: world.id('role reader') }],
      expires_at: '2999-02-27T18:30:59.999999Z',
    });
    expect(trust['roles']).toMatchObject([{ name: 'reader' }]);
    expect(trust['expires_at']).toBe('2999-02-27T18:30:59.999999Z');
  });

  it('makes a trust without a project, which gives no role', async () => {
    expect(await create({ project_id: null, roles: [] })).toMatchObject({
      project_id: null,
      roles: [],
    });
  });

  it('works for a project that the token is not of', async () => {
    const { client } = world.identity;
    const password = 'the password of demo';
    const unscoped = signedIn(await login(client, { user: 'demo', password, scope: 'unscoped' }));
    expect((await post({}, unscoped)).status).toBe(201);
  });

  it('ignores what it does not know, as Keystone does', async () => {
    const made = await create({ colour: 'blue' });
    expect(made).not.toHaveProperty('colour');
  });

  it.each([
    [400, { impersonation: null }],
    [400, { trustee_user_id: null }],
    [400, { expires_at: 'bad.123Z' }],
    [400, { expires_at: '' }],
    [400, { expires_at: '2013-02-27T18:30:59Z' }],
    [400, { remaining_uses: 0 }],
    [400, { remaining_uses: 7.2 }],
    [400, { remaining_uses: 1, allow_redelegation: true }],
    [400, { redelegated_trust_id: 'other' }],
    [400, { roles: [{ fake_key: 'fake_value' }] }],
    [400, { roles: [{}] }],
    [403, { roles: [] }],
    [403, { redelegation_count: 4, allow_redelegation: true }],
    [404, { trustee_user_id: 'nobody' }],
    [404, { project_id: 'nothing' }],
    [404, { project_id: null }],
    [404, { roles: [{ name: 'no such role' }] }],
    [404, { roles: [{ id: 'ffff' }] }],
    // A role that there is, but that demo does not have.
    [404, { roles: [{ name: 'admin' }] }],
  ])('answers %i to %j', async (status, trust) => {
    expect((await post(trust)).status).toBe(status);
  });

  it('names the user who is unknown', async () => {
    expect(messageOf(await post({ trustee_user_id: 'nobody' }))).toBe(
      'Could not find user: nobody.',
    );
  });

  it('is for what is the caller’s own', async () => {
    expect((await post({}, world.tokens.compute)).status).toBe(403);
    expect((await post({}, world.tokens.admin)).status).toBe(403);
  });
});

describe('GET /v3/OS-TRUST/trusts/{trust_id}', () => {
  it('is for both sides and for cloud administrators', async () => {
    const trust = await create();
    for (const token of [world.tokens.demo, world.tokens.compute, world.tokens.admin]) {
      const response = await ask('GET', pathOf(trust), token);
      expect([response.status, response.body]).toEqual([200, { trust }]);
    }
  });

  it('answers 403 to anybody else', async () => {
    const trust = await create(
      {
        trustor_user_id: world.id('user admin'),
        project_id: world.id('project admin'),
      },
      world.tokens.admin,
    );
    for (const path of ['', '/roles', `/roles/${world.id('role member')}`]) {
      expect((await ask('GET', `${pathOf(trust)}${path}`)).status).toBe(403);
    }
  });

  it('answers 404 where there is none', async () => {
    const response = await ask('GET', '/nothing');
    expect([response.status, messageOf(response)]).toEqual([404, 'Could not find trust: nothing.']);
    expect((await ask('DELETE', '/nothing')).status).toBe(404);
    expect((await ask('GET', '/nothing/roles')).status).toBe(404);
  });

  it('shows the roles, and each of them', async () => {
    const trust = await create();
    const roles = `${pathOf(trust)}/roles`;
    expect((await ask('GET', roles)).body).toEqual({
      roles: trust['roles'],
      links: trust['roles_links'],
    });
    const member = `${roles}/${world.id('role member')}`;
    expect((await ask('GET', member)).body).toMatchObject({ role: { name: 'member' } });
    expect((await ask('HEAD', member)).status).toBe(200);
    expect((await ask('GET', `${roles}/${world.id('role reader')}`)).status).toBe(404);
    expect((await ask('HEAD', `${roles}/${world.id('role reader')}`)).status).toBe(404);
  });

  it.each(['PATCH', 'PUT'])('does not do %s', async (method) => {
    expect((await ask(method, pathOf(await create()))).status).toBe(405);
  });
});

describe('GET /v3/OS-TRUST/trusts', () => {
  it('lists what a user has given, and what it was given, without roles', async () => {
    const trust = await create({ expires_at: '2999-01-01T00:00:00Z' });
    const { roles, roles_links: links, ...listed } = trust;
    expect([roles, links]).toEqual([expect.anything(), expect.anything()]);
    const given = `?trustor_user_id=${world.id('user demo')}`;
    const received = `?trustee_user_id=${world.id('user compute')}`;
    expect(unwrap(await ask('GET', given), 'trusts')).toContainEqual(listed);
    expect(unwrap(await ask('GET', `/${given}`), 'trusts')).toContainEqual(listed);
    expect(unwrap(await ask('GET', received, world.tokens.compute), 'trusts')).toContainEqual(
      listed,
    );
    const both = `${given}&trustee_user_id=${world.id('user admin')}`;
    expect(unwrap(await ask('GET', both), 'trusts')).toEqual([]);
  });

  it('lists all of them to cloud administrators only', async () => {
    expect((await ask('GET', '', world.tokens.admin)).status).toBe(200);
    expect((await ask('GET', '')).status).toBe(403);
  });

  it('lists what is of others to nobody', async () => {
    const { tokens } = world;
    const demo = world.id('user demo');
    expect((await ask('GET', `?trustor_user_id=${demo}`, tokens.compute)).status).toBe(403);
    expect((await ask('GET', `?trustee_user_id=${demo}`, tokens.compute)).status).toBe(403);
  });
});

describe('DELETE /v3/OS-TRUST/trusts/{trust_id}', () => {
  it('takes the trust and its tokens, at once', async () => {
    const trust = await create();
    const token = signedIn(await world.byTrust('compute', String(trust['id'])));
    expect((await ask('GET', pathOf(trust), token)).status).toBe(200);
    expect((await ask('DELETE', pathOf(trust))).status).toBe(204);
    expect((await ask('GET', pathOf(trust), token)).status).toBe(401);
    expect((await ask('GET', pathOf(trust))).status).toBe(404);
  });

  it('takes what was made of the trust, and the tokens of that', async () => {
    const first = await create({ impersonation: true, allow_redelegation: true });
    const passing = signedIn(await world.byTrust('compute', String(first['id'])));
    const second = await create({ trustee_user_id: world.id('user admin') }, passing);
    expect(second).toMatchObject({ redelegated_trust_id: first['id'], redelegation_count: 0 });
    const token = signedIn(await world.byTrust('admin', String(second['id'])));
    expect((await ask('DELETE', pathOf(first))).status).toBe(204);
    expect((await ask('GET', pathOf(second), token)).status).toBe(401);
    expect((await ask('GET', pathOf(second))).status).toBe(404);
  });

  it('is for the trustor and for cloud administrators, not for the trustee', async () => {
    const trust = await create();
    expect((await ask('DELETE', pathOf(trust), world.tokens.compute)).status).toBe(403);
    expect((await ask('DELETE', pathOf(trust), world.tokens.admin)).status).toBe(204);
  });

  it('lets a trustee who acts as the trustor end it, as services do that need it no more', async () => {
    const trust = await create({ impersonation: true });
    const token = signedIn(await world.byTrust('compute', String(trust['id'])));
    expect((await ask('DELETE', pathOf(trust), token)).status).toBe(204);
    expect((await ask('GET', pathOf(trust))).status).toBe(404);
  });

  it('works for a trust that is used up, whose token is alive', async () => {
    const trust = await create({ remaining_uses: 1 });
    const token = signedIn(await world.byTrust('compute', String(trust['id'])));
    expect((await world.byTrust('compute', String(trust['id']))).status).toBe(401);
    expect((await ask('GET', pathOf(trust))).status).toBe(404);
    expect((await ask('DELETE', pathOf(trust))).status).toBe(204);
    const given = `?trustee_user_id=${world.id('user compute')}`;
    expect((await ask('GET', given, token)).status).toBe(401);
  });
});

describe('a token of a trust', () => {
  it('makes no further trust unless its own allows it', async () => {
    const trust = await create({ impersonation: true });
    const token = signedIn(await world.byTrust('compute', String(trust['id'])));
    const response = await post({}, token);
    expect([response.status, messageOf(response)]).toEqual([
      403,
      expect.stringContaining(String(trust['id'])),
    ]);
  });

  it('passes on no role, project or impersonation that it has not', async () => {
    const trust = await create({ roles: [{ name: 'reader' }], allow_redelegation: true });
    const token = signedIn(await world.byTrust('compute', String(trust['id'])));
    const own = { trustor_user_id: world.id('user compute') };
    expect((await post({ ...own, roles: [{ name: 'member' }] }, token)).status).toBe(403);
    const reader = { ...own, roles: [{ name: 'reader' }] };
    expect((await post({ ...reader, impersonation: true }, token)).status).toBe(403);
    const elsewhere = { project_id: world.id('project service') };
    expect((await post({ ...reader, ...elsewhere }, token)).status).toBe(403);
    expect((await post(reader, token)).status).toBe(201);
  });

  it('passes on for as whom it acts only', async () => {
    const trust = await create({ allow_redelegation: true });
    const token = signedIn(await world.byTrust('compute', String(trust['id'])));
    expect((await post({}, token)).status).toBe(403);
  });
});

describe('a token of an application credential', () => {
  async function tokenBy(credential: object): Promise<string> {
    const path = `/v3/users/${world.id('user demo')}/application_credentials`;
    const body = { application_credential: { name: crypto.randomUUID(), ...credential } };
    const made = await world.identity.client.post(path, { token: world.tokens.demo, body });
    const { id, secret } = unwrap(made, 'application_credential');
    return signedIn(await world.byCredential(String(id), String(secret)));
  }

  it('neither makes nor removes trusts while restricted', async () => {
    const trust = await create();
    const token = await tokenBy({});
    expect((await post({}, token)).status).toBe(403);
    expect((await ask('DELETE', pathOf(trust), token)).status).toBe(403);
  });

  it('does both while unrestricted, with no more than its own roles', async () => {
    const token = await tokenBy({ unrestricted: true, roles: [{ name: 'reader' }] });
    expect((await post({}, token)).status).toBe(404);
    const trust = await create({ roles: [{ name: 'reader' }] }, token);
    expect((await ask('DELETE', pathOf(trust), token)).status).toBe(204);
  });
});

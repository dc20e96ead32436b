/**
 * A credential is never worth more than what made it: what a token of an application credential makes
 * has no role, no request and no day more. Of access keys, see application-credential-keys.api.spec.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { TestResponse } from '@cumulet/testing/http-client';
import { signedIn, tokenIn } from '../identity.fixture.js';
import { messageOf, unwrap, type Delegation } from '../trusts/delegation.fixture.js';
import { Makers } from './makers.fixture.js';

const READ_RULE = { service: 's3', method: 'GET', path: '/files/**' };

let makers: Makers;
let world: Delegation;

beforeAll(async () => {
  makers = await Makers.start();
  ({ world } = makers);
});
afterAll(() => makers.stop());

describe('what an application credential has made ends with it', () => {
  it('further application credentials, and what those have made', async () => {
    const first = await makers.credential();
    const second = await makers.credential({}, await makers.tokenBy(first));
    const third = await makers.credential({}, await makers.tokenBy(second));
    const made = await makers.key(await makers.tokenBy(third));
    await makers.send('DELETE', `${makers.credentials}/${first.id}`, world.tokens.demo);
    for (const { id, secret } of [first, second, third])
      expect((await world.byCredential(id, secret)).status).toBe(401);
    expect(await makers.uses(made)).toEqual([404, 404]);
  });

  it('trusts to users, and what was made of these', async () => {
    const own = await makers.credential();
    const given = unwrap(await makers.trustTo('admin', await makers.tokenBy(own)), 'trust');
    const token = signedIn(await world.byTrust('admin', String(given['id'])));
    const made = await makers.key(token);
    expect((await makers.send('GET', '/auth/projects', token)).status).toBe(200);
    await makers.send('DELETE', `${makers.credentials}/${own.id}`, world.tokens.demo);
    expect((await makers.send('GET', '/auth/projects', token)).status).toBe(401);
    expect((await world.byTrust('admin', String(given['id']))).status).toBe(401);
    expect(await makers.uses(made)).toEqual([404, 404]);
  });

  it('except trusts to services, which keep its roles', async () => {
    const own = await makers.credential({ expires_at: '2999-01-01T00:00:00Z' });
    const given = unwrap(await makers.trustTo('compute', await makers.tokenBy(own)), 'trust');
    expect(given['expires_at']).toBeNull();
    await makers.send('DELETE', `${makers.credentials}/${own.id}`, world.tokens.demo);
    const response = await world.byTrust('compute', String(given['id']));
    expect(tokenIn(response)).toMatchObject({ roles: [{ name: 'reader' }] });
  });
});

describe('an application credential gives no more than it has', () => {
  it('of roles', async () => {
    const token = await makers.tokenBy(await makers.credential());
    expect((await makers.make({ roles: [{ name: 'member' }] }, token)).status).toBe(400);
    expect((await makers.trustTo('admin', token, { roles: [{ name: 'member' }] })).status).toBe(
      404,
    );
  });

  it('of time', async () => {
    const token = await makers.tokenBy(
      await makers.credential({ expires_at: '2999-01-01T00:00:00.5Z' }),
    );
    expect(await makers.credential({}, token)).toMatchObject({
      expires_at: '2999-01-01T00:00:00.500000',
    });
    const sooner = await makers.credential({ expires_at: '2998-01-01T00:00:00Z' }, token);
    expect(sooner.expires_at).toBe('2998-01-01T00:00:00.000000');
    const later = { expires_at: '2999-01-01T00:00:00.500001Z' };
    for (const response of [
      await makers.make(later, token),
      await makers.trustTo('admin', token, later),
    ])
      expect([response.status, messageOf(response)]).toEqual([
        403,
        expect.stringContaining('must not be later than its own, 2999-01-01T00:00:00.500000Z'),
      ]);
    const trust = unwrap(await makers.trustTo('admin', token), 'trust');
    expect(trust['expires_at']).toBe('2999-01-01T00:00:00.500000Z');
  });

  it('of access rules', async () => {
    const makes = { service: 'identity', method: 'POST', path: `/v3${makers.credentials}` };
    const trusts = { service: 'identity', method: 'POST', path: '/v3/OS-TRUST/trusts' };
    const token = await makers.tokenBy(
      await makers.credential({ access_rules: [makes, trusts, READ_RULE] }),
    );
    const rulesOf = async (rules?: readonly object[]): Promise<unknown> =>
      (await makers.credential(rules ? { access_rules: rules } : {}, token)).access_rules;
    for (const none of [undefined, []])
      expect(await rulesOf(none)).toEqual(
        expect.arrayContaining(
          [makes, trusts, READ_RULE].map((rule) => expect.objectContaining(rule)),
        ),
      );
    expect(await rulesOf([{ ...READ_RULE, path: '/files/a/b' }, makes])).toHaveLength(2);
    for (const wider of [
      { ...READ_RULE, method: 'PUT' },
      { ...READ_RULE, path: '/**' },
      { ...READ_RULE, path: '/files/{more}/**' },
      { ...READ_RULE, service: 'image' },
    ]) {
      const response = await makers.make({ access_rules: [makes, wider] }, token);
      expect([response.status, messageOf(response)]).toEqual([
        403,
        expect.stringContaining(`do not allow ${wider.method} ${wider.path} of ${wider.service}`),
      ]);
    }
    const toUser = await makers.trustTo('admin', token);
    expect([toUser.status, messageOf(toUser)]).toEqual([
      403,
      expect.stringContaining('its access rules would not limit a trust'),
    ]);
    expect((await makers.trustTo('compute', token)).status).toBe(201);
  });

  it('by a token made from its token', async () => {
    const token = await makers.tokenBy(await makers.credential());
    const auth = { identity: { methods: ['token'], token: { id: token } } };
    const again = await world.identity.client.post('/v3/auth/tokens', { body: { auth } });
    expect(tokenIn(again)).toMatchObject({ roles: [{ name: 'reader' }] });
    const scope = { project: { id: world.id('project demo') } };
    const body = { auth: { ...auth, scope } };
    expect((await world.identity.client.post('/v3/auth/tokens', { body })).status).toBe(403);
  });

  it('by what its user changes in person later', async () => {
    const blob = 'JBSWY3DPEHPK3PXP';
    const [user_id, project_id] = [world.id('user demo'), world.id('project demo')];
    const own = { user_id, project_id, type: 'cert', blob };
    const response = await makers.send(
      'POST',
      '/credentials',
      await makers.tokenBy(await makers.credential()),
      {
        credential: own,
      },
    );
    const id = String(unwrap(response, 'credential')['id']);
    const change = { credential: { type: 'totp' } };
    expect(
      (await makers.send('PATCH', `/credentials/${id}`, world.tokens.demo, change)).status,
    ).toBe(200);
    const passcode = new TOTP({ secret: Secret.fromBase32(blob) }).generate();
    const totp = { user: { id: user_id, passcode } };
    const logIn = (): Promise<TestResponse> =>
      world.identity.client.post('/v3/auth/tokens', {
        body: { auth: { identity: { methods: ['totp'], totp } } },
      });
    expect((await logIn()).status).toBe(401);
    await makers.send('POST', '/credentials', world.tokens.demo, {
      credential: { ...own, type: 'totp' },
    });
    expect((await logIn()).status).toBe(201);
  });
});

/**
 * A credential is never worth more than what made it: an access key that is made by a token of an
 * application credential has its roles, its access rules and its end. Of trusts, see
 * trust-keys.api.spec.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { Makers, type Credential, type Key } from '../application-credentials/makers.fixture.js';
import { accessKeyId } from '../credentials/ec2-blob.js';
import { signedIn, tokenIn } from '../identity.fixture.js';
import { messageOf, unwrap, type Delegation } from '../trusts/delegation.fixture.js';

const KEYS_RULE = { service: 'identity', method: 'POST', path: '/v3/users/*/credentials/OS-EC2' };
const READ_RULE = { service: 's3', method: 'GET', path: '/files/**' };

let makers: Makers;
let world: Delegation;

beforeAll(async () => {
  makers = await Makers.start();
  ({ world } = makers);
});
afterAll(() => makers.stop());

describe('an access key made by a token of an application credential', () => {
  it('has its roles, and says so wherever it is used', async () => {
    const own = await makers.credential();
    const { id } = own;
    const made = await makers.key(await makers.tokenBy(own));
    expect(tokenIn(await makers.exchange(made))).toMatchObject({
      methods: ['ec2credential'],
      user: { name: 'demo' },
      project: { name: 'demo' },
      roles: [{ name: 'reader' }],
      application_credential: { id, restricted: false },
    });
    expect(unwrap(await makers.read(made), 'access_key')).toMatchObject({
      user_id: world.id('user demo'),
      project_id: world.id('project demo'),
      roles: ['reader'],
      trust: null,
      application_credential: { id, unrestricted: true, access_rules: null },
    });
    const path = `/credentials/${accessKeyId(made.access)}`;
    const shown = unwrap(await makers.send('GET', path, world.tokens.demo), 'credential');
    expect(JSON.parse(String(shown['blob']))).toMatchObject({ app_cred_id: id });
  });

  it('has its access rules', async () => {
    const ruled = await makers.credential({ access_rules: [KEYS_RULE, READ_RULE] });
    const made = await makers.key(await makers.tokenBy(ruled));
    const rules = [KEYS_RULE, READ_RULE];
    expect(unwrap(await makers.read(made), 'access_key')).toMatchObject({
      application_credential: { access_rules: rules },
    });
    const token = signedIn(await makers.exchange(made));
    expect((await makers.send('GET', '/auth/projects', token)).status).toBe(403);
  });

  it('is bound also if it is created as a credential', async () => {
    const own = await makers.credential();
    const given = { access: newId(), secret: newId() };
    const post = (blob: object): Promise<TestResponse> =>
      makers.tokenBy(own).then((token) =>
        makers.send('POST', '/credentials', token, {
          credential: {
            user_id: world.id('user demo'),
            project_id: world.id('project demo'),
            type: 'ec2',
            blob: JSON.stringify(blob),
          },
        }),
      );
    expect((await post({ ...given, app_cred_id: 'another' })).status).toBe(201);
    expect(unwrap(await makers.read(given), 'access_key')).toMatchObject({
      roles: ['reader'],
      application_credential: { id: own.id },
    });
    const forged = { access: newId(), secret: newId() };
    expect((await post({ ...forged, trust_id: 'a trust' })).status).toBe(201);
    expect(await makers.uses(forged)).toEqual([404, 404]);
  });

  it('is of its own user and project', async () => {
    const token = await makers.tokenBy(await makers.credential());
    expect((await makers.makeKey(token, { user: 'admin' })).status).toBe(403);
    expect((await makers.makeKey(token, { project: 'admin' })).status).toBe(403);
  });

  it('keeps its limits when its owner changes it', async () => {
    const own = await makers.credential();
    const made = await makers.key(await makers.tokenBy(own));
    const patch = (fields: object, token = world.tokens.demo): Promise<TestResponse> =>
      makers.send('PATCH', `/credentials/${accessKeyId(made.access)}`, token, {
        credential: fields,
      });
    const blob = (more: object): object => ({ blob: JSON.stringify({ ...made, ...more }) });
    const other = await makers.credential({ roles: [{ name: 'member' }] });
    for (const more of [{}, { app_cred_id: null }, { app_cred_id: other.id }, { trust_id: 't' }])
      expect((await patch(blob(more))).status).toBe(400);
    expect((await patch(blob({ app_cred_id: own.id, secret: 'another' }))).status).toBe(200);
    expect(unwrap(await makers.read(made), 'access_key')).toMatchObject({ roles: ['reader'] });
    for (const moved of [{ user_id: 'admin' }, { project_id: 'admin' }] as Record<
      string,
      string
    >[]) {
      const [[field, name] = ['', '']] = Object.entries(moved);
      const kind = field.replace('_id', '');
      const move = (to: string): Promise<TestResponse> =>
        patch({ [field]: world.id(`${kind} ${to}`) }, world.tokens.admin);
      expect((await move(name)).status).toBe(200);
      expect((await makers.read(made)).status).toBe(404);
      await move('demo');
    }
    expect((await makers.read(made)).status).toBe(200);
  });

  it('is not bound by the delegation that its blob names', async () => {
    const { id } = await makers.credential();
    const forged = { access: newId(), secret: newId() };
    const response = await makers.send('POST', '/credentials', world.tokens.demo, {
      credential: {
        user_id: world.id('user demo'),
        project_id: world.id('project demo'),
        type: 'ec2',
        blob: JSON.stringify({ ...forged, app_cred_id: id }),
      },
    });
    expect(response.status).toBe(201);
    expect(await makers.uses(forged)).toEqual([404, 404]);
  });

  it('is the only key that the token can use', async () => {
    const inPerson = await makers.key(world.tokens.demo);
    const [one, other] = [
      await makers.tokenBy(await makers.credential()),
      await makers.tokenBy(await makers.credential()),
    ];
    const made = await makers.key(one);
    const listed = async (token: string): Promise<string[]> => {
      const { body } = await makers.send('GET', makers.keysOf(), token);
      return (body as { credentials: Key[] }).credentials.map(({ access }) => access);
    };
    expect(await listed(one)).toEqual([made.access]);
    expect(await listed(other)).toEqual([]);
    expect(await listed(world.tokens.demo)).toEqual(
      expect.arrayContaining([made.access, inPerson.access]),
    );
    for (const [token, hidden] of [
      [one, inPerson],
      [other, made],
    ] as const)
      for (const method of ['GET', 'DELETE'])
        expect(
          (await makers.send(method, `${makers.keysOf()}/${hidden.access}`, token)).status,
        ).toBe(403);
    expect((await makers.send('DELETE', `${makers.keysOf()}/${made.access}`, one)).status).toBe(
      204,
    );
  });

  it('cannot be created by a restricted credential, not even an administrator’s', async () => {
    const token = await makers.tokenBy(await makers.credential({ unrestricted: false }));
    expect((await makers.makeKey(token)).status).toBe(403);
    const path = `/users/${world.id('user admin')}/application_credentials`;
    const response = await makers.send('POST', path, world.tokens.admin, {
      application_credential: { name: 'of an administrator' },
    });
    const ofAdmin = unwrap(response, 'application_credential') as unknown as Credential;
    const answer = await makers.makeKey(await makers.tokenBy(ofAdmin), {
      user: 'admin',
      project: 'admin',
    });
    expect([answer.status, messageOf(answer)]).toEqual([
      403,
      expect.stringContaining('restricted'),
    ]);
  });
});

describe('an access key made by a token of an application credential ends', () => {
  it('when the credential is deleted, with its tokens', async () => {
    const own = await makers.credential();
    const made = await makers.key(await makers.tokenBy(own));
    const token = signedIn(await makers.exchange(made));
    expect(await makers.uses(made)).toEqual([200, 200]);
    await makers.send('DELETE', `${makers.credentials}/${own.id}`, world.tokens.demo);
    expect(await makers.uses(made)).toEqual([404, 404]);
    const validated = await world.identity.client.get('/v3/auth/tokens', {
      token: world.tokens.admin,
      headers: { 'X-Subject-Token': token },
    });
    expect(validated.status).toBe(404);
    const path = `${makers.keysOf()}/${made.access}`;
    expect((await makers.send('GET', path, world.tokens.demo)).status).toBe(404);
  });

  it('when the credential expires, and is not cached longer', async () => {
    const own = await makers.credential();
    const made = await makers.key(await makers.tokenBy(own));
    const expire = 'UPDATE application_credentials SET expires_at = now() + $2 WHERE id = $1';
    await makers.sql(expire, [own.id, '10 minutes']);
    const { issued_at: from, expires_at: to } = unwrap(await makers.read(made), 'access_key');
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBeLessThanOrEqual(600_000);
    await makers.sql(expire, [own.id, '0']);
    expect(await makers.uses(made)).toEqual([401, 404]);
  });

  it('while its user has lost a role that it gives', async () => {
    const made = await makers.key(
      await makers.tokenBy(await makers.credential({ roles: [{ name: 'member' }] })),
    );
    const grant = 'UPDATE role_assignments SET inherited = $1 WHERE user_id = $2';
    await makers.sql(grant, [true, world.id('user demo')]);
    const answers = await makers.uses(made);
    await makers.sql(grant, [false, world.id('user demo')]);
    expect(answers).toEqual([401, 404]);
    expect(await makers.uses(made)).toEqual([200, 200]);
  });
});

describe('a token of an access key that was made in person', () => {
  it('is valid for the project of the key, and not for identity', async () => {
    const token = signedIn(await makers.exchange(await makers.key(world.tokens.demo)));
    const scope = { project: { id: world.id('project demo') } };
    const auth = { identity: { methods: ['token'], token: { id: token } } };
    const rescope = (more: object): Promise<TestResponse> =>
      world.identity.client.post('/v3/auth/tokens', { body: { auth: { ...auth, ...more } } });
    const answers = [
      await rescope({}),
      await rescope({ scope }),
      await makers.makeKey(token),
      await makers.make({}, token),
      await makers.trustTo('compute', token),
      await makers.send('GET', '/credentials', token),
      await makers.send('GET', '/auth/catalog', token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403]);
  });
});

import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());
beforeEach(async () => {
  await compute.app.dataSource.query('DELETE FROM keypairs');
});

interface Options {
  readonly version?: string;
  readonly token?: string;
}

const headersOf = ({ version = '2.91' }: Options) => ({
  'OpenStack-API-Version': `compute ${version}`,
});
const tokenOf = ({ token = compute.token }: Options) => token;

const get = (path: string, options: Options = {}): Promise<TestResponse> =>
  compute.client.get(path, { token: tokenOf(options), headers: headersOf(options) });
const remove = (path: string, options: Options = {}): Promise<TestResponse> =>
  compute.client.delete(path, { token: tokenOf(options), headers: headersOf(options) });
const create = (keypair: object, options: Options = {}): Promise<TestResponse> =>
  compute.client.post('/os-keypairs', {
    token: tokenOf(options),
    headers: headersOf(options),
    body: { keypair },
  });

const keypairOf = ({ body }: TestResponse): Record<string, string> =>
  (body as { keypair: Record<string, string> }).keypair;
const namesOf = ({ body }: TestResponse): string[] =>
  (body as { keypairs: { keypair: { name: string } }[] }).keypairs.map(
    ({ keypair }) => keypair.name,
  );

const public_key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOAMj0mdXwyjOvr+sPtZxr5FVKjANMWCM8F/8Kjx5SQU demo@laptop';

async function generated(type?: string): Promise<Record<string, string>> {
  const response = await create({ name: 'made', ...(type ? { type } : {}) });
  if (response.status !== 201) throw new Error(response.text);
  return keypairOf(response);
}

describe('a key pair', () => {
  it('is imported, shown, listed and deleted', async () => {
    const imported = await create({ name: 'mine', public_key });
    expect(imported.status).toBe(201);
    const shown = {
      name: 'mine',
      type: 'ssh',
      public_key,
      fingerprint: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/) as unknown,
    };
    expect(keypairOf(imported)).toEqual({ ...shown, user_id: expect.any(String) as unknown });
    expect((await get('/os-keypairs')).body).toEqual({ keypairs: [{ keypair: shown }] });
    expect(keypairOf(await get('/os-keypairs/mine'))).toMatchObject({
      ...shown,
      deleted: false,
      deleted_at: null,
      updated_at: null,
      id: expect.any(Number) as unknown,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as unknown,
    });
    expect((await remove('/os-keypairs/mine')).status).toBe(204);
    expect((await get('/os-keypairs/mine')).text).toContain('Keypair mine not found for user');
    expect((await remove('/os-keypairs/mine')).status).toBe(404);
  });

  it('is generated if no key is given, with the matching private key', async () => {
    const { private_key = '', public_key: made = '' } = await generated();
    expect(private_key).toContain('BEGIN RSA PRIVATE KEY');
    const { n } = createPublicKey(createPrivateKey(private_key)).export({ format: 'jwk' });
    expect(made).toMatch(/^ssh-rsa /);
    const blob = Buffer.from(made.split(' ')[1] ?? '', 'base64');
    expect(blob.includes(Buffer.from(n ?? '', 'base64url'))).toBe(true);
    expect(keypairOf(await get('/os-keypairs/made'))).not.toHaveProperty('private_key');
  });

  it('that was generated is stored for repeated requests, but sealed', async () => {
    const ask = () =>
      compute.client.post('/os-keypairs', {
        token: compute.token,
        headers: { ...headersOf({}), 'Idempotency-Key': 'made-once' },
        body: { keypair: { name: 'made' } },
      });
    const { private_key } = keypairOf(await ask());
    expect(private_key).toContain('PRIVATE KEY');
    expect(keypairOf(await ask())['private_key']).toBe(private_key);
    const [kept] = await compute.app.dataSource.query<{ answer: string }[]>(
      'SELECT answer FROM idempotency_keys',
    );
    expect(kept?.answer).toBeDefined();
    expect(kept?.answer).not.toContain('PRIVATE KEY');
  });

  it('is each user’s own, also under an Idempotency-Key that others of the project use', async () => {
    const { projectId } = compute;
    const [one, other] = await Promise.all(
      [1, 2].map(() => compute.tokens.issue(['member'], { projectId })),
    );
    const ask = async (token = compute.token): Promise<string> => {
      const response = await compute.client.post('/os-keypairs', {
        token,
        headers: { ...headersOf({}), 'Idempotency-Key': 'used-by-several' },
        body: { keypair: { name: 'made' } },
      });
      expect(response.status).toBe(201);
      return keypairOf(response)['private_key'] ?? '';
    };
    const keys = [await ask(one), await ask(other), await ask(), await ask(one)];
    expect(new Set(keys).size).toBe(3);
    expect(keys[3]).toBe(keys[0]);
  });

  it('is a certificate on request, and can be imported again', async () => {
    const { private_key = '', public_key: pem = '', fingerprint } = await generated('x509');
    const certificate = new X509Certificate(pem);
    expect(certificate.checkPrivateKey(createPrivateKey(private_key))).toBe(true);
    expect(certificate.subjectAltName).toMatch(/^othername:UPN:.*@localhost$/);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    const again = await create({ name: 'again', type: 'x509', public_key: pem });
    expect(keypairOf(again)).toMatchObject({ type: 'x509', fingerprint });
  });

  it('answers as its microversion does', async () => {
    const old = { version: '2.1' };
    const first = await create({ name: 'old', public_key }, old);
    expect([first.status, keypairOf(first)]).toEqual([
      200,
      expect.not.objectContaining({ type: 'ssh' }),
    ]);
    expect((await remove('/os-keypairs/old', old)).status).toBe(202);
    expect((await create({ name: 'a', public_key, type: 'ssh' }, old)).status).toBe(400);
    expect((await create({ name: 'a@b.c', public_key })).status).toBe(400);
    const latest = { version: '2.92' };
    expect((await create({ name: 'a@b.c', public_key }, latest)).status).toBe(201);
    expect((await create({ name: 'none' }, latest)).text).toContain('since microversion 2.92');
  });

  it.each<[object, number, string]>([
    [{ name: 'k', public_key: 'ssh-rsa' }, 400, 'failed to generate fingerprint'],
    [{ name: 'k', public_key: 'ssh-rsa AAAA' }, 400, 'it is not a key of type ssh-rsa'],
    [{ name: 'k', public_key: `ssh-rsa ${public_key.split(' ')[1]}` }, 400, 'ssh-rsa'],
    [{ name: 'k', public_key: `${public_key}\nssh-rsa x` }, 400, 'one line'],
    [{ name: 'k', type: 'x509', public_key: 'x' }, 400, 'it must be a certificate in PEM'],
    [{ name: 'k', type: 'pgp' }, 400, 'keypair.type must be one of ssh, x509'],
    [{ name: ' ' }, 400, 'keypair.name'],
    [{ name: 'a/b' }, 400, 'keypair.name'],
    [
      { name: 'k', user_id: 'other' },
      403,
      "Access to another user's key pairs needs the role admin.",
    ],
  ])('is refused: %j', async (keypair, status, message) => {
    const response = await create(keypair);
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(message)]);
    expect(namesOf(await get('/os-keypairs'))).toEqual([]);
  });

  it('has a name that is unique for its user', async () => {
    await create({ name: 'mine', public_key });
    const second = await create({ name: ' mine', public_key });
    expect([second.status, second.text]).toEqual([
      409,
      expect.stringContaining("Key pair 'mine' already exists."),
    ]);
    expect((await create({ name: 'mine', public_key }, { token: admin })).status).toBe(201);
  });

  it("is its user's alone, and of administrators who name the user", async () => {
    const userId = keypairOf(await create({ name: 'mine', public_key }))['user_id'] ?? '';
    const as = { token: admin };
    expect(namesOf(await get('/os-keypairs', as))).toEqual([]);
    expect(namesOf(await get(`/os-keypairs?user_id=${userId}`, as))).toEqual(['mine']);
    expect((await get('/os-keypairs?user_id=someone')).status).toBe(403);
    const theirs = await create({ name: 'theirs', public_key, user_id: userId }, as);
    expect(theirs.status).toBe(201);
    expect(namesOf(await get('/os-keypairs'))).toEqual(['mine', 'theirs']);
    expect((await remove(`/os-keypairs/mine?user_id=${userId}`, as)).status).toBe(204);
    expect((await get(`/os-keypairs/theirs?user_id=${userId}`, as)).status).toBe(200);
  });

  it('is deleted by a service that names its user, as with its stack', async () => {
    const userId = keypairOf(await create({ name: 'mine', public_key }))['user_id'] ?? '';
    const as = { token: await compute.tokens.issue(['service']) };
    expect((await remove(`/os-keypairs/mine?user_id=${userId}`, as)).status).toBe(204);
    expect(namesOf(await get('/os-keypairs'))).toEqual([]);
  });
});

describe('the key pairs', () => {
  const make = (name: string) => create({ name, public_key });

  it('come page by page since microversion 2.35', async () => {
    for (const name of ['c', 'a', 'b']) await make(name);
    const first = await get('/os-keypairs?limit=2');
    expect(namesOf(first)).toEqual(['a', 'b']);
    expect(first.text).toContain('marker=b');
    expect(namesOf(await get('/os-keypairs?limit=2&marker=b'))).toEqual(['c']);
    expect((await get('/os-keypairs?marker=none')).status).toBe(400);
    expect((await get('/os-keypairs?limit=2', { version: '2.34' })).status).toBe(400);
  });

  it('of one user are limited, however many clients ask at once', async () => {
    compute.projects.add(compute.projectId);
    await compute.client.put(`/os-quota-sets/${compute.projectId}`, {
      token: admin,
      body: { quota_set: { key_pairs: 3, force: true } },
    });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => make(`key${at}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 201),
      ...Array.from({ length: 5 }, () => 403),
    ]);
    expect(namesOf(await get('/os-keypairs'))).toHaveLength(3);
    await compute.client.delete(`/os-quota-sets/${compute.projectId}`, { token: admin });
  });
});

describe('a server', () => {
  it('has its key pair on the config drive, also once that is deleted', async () => {
    await create({ name: 'mine', public_key });
    const ensured = jest.spyOn(compute.hypervisor.machines, 'ensureRunning');
    const id = await compute.buildServer({ key_name: 'mine' });
    await remove('/os-keypairs/mine');
    expect(await compute.show(id)).toMatchObject({ key_name: 'mine' });
    expect(ensured.mock.lastCall?.[0].configDrive?.metaData).toMatchObject({
      public_keys: { mine: public_key },
      keys: [{ name: 'mine', type: 'ssh', data: public_key }],
    });
    ensured.mockRestore();
  });

  it('is not created with a key pair that its user does not have', async () => {
    await create({ name: 'admins', public_key }, { token: admin });
    const response = await compute.createServer({ key_name: 'admins' });
    expect([response.status, response.text]).toEqual([
      400,
      expect.stringContaining('Invalid key_name provided: admins'),
    ]);
  });
});

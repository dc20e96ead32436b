import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, SECRET, TestSecrets } from '../secrets.fixture.js';
import { SecretsService } from './secrets.service.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start();
});
afterAll(() => secrets.stop());

const post = (body: unknown): Promise<TestResponse> => secrets.send('POST', '/secrets', { body });
const rows = async (): Promise<number> => {
  const sql = 'SELECT (SELECT count(*) FROM secrets) + (SELECT count(*) FROM secret_payloads) AS n';
  const [row] = await secrets.started.app.dataSource.query<{ n: string }[]>(sql);
  return Number(row?.n);
};

describe('POST /v1/secrets', () => {
  it('creates a secret, and returns its URL', async () => {
    const { status, body, headers } = await post(SECRET);
    expect(status).toBe(201);
    const { secret_ref: ref } = body as { secret_ref: string };
    expect(ref.startsWith(`${secrets.client.baseUrl}/v1/secrets/`)).toBe(true);
    expect(headers.get('Location')).toBe(ref);
  });

  it('shows all of its properties, and not its payload', async () => {
    const id = await secrets.create({
      name: ' key ',
      secret_type: 'symmetric',
      algorithm: 'aes',
      bit_length: 256,
      mode: 'cbc',
      expiration: '2099-12-31T23:59:59Z',
      payload: 'AAEC/w==',
      payload_content_type: 'application/octet-stream',
      payload_content_encoding: 'base64',
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    expect(await secrets.show(`/secrets/${id}`)).toEqual({
      secret_ref: secrets.refOf(id),
      name: 'key',
      secret_type: 'symmetric',
      algorithm: 'aes',
      bit_length: 256,
      mode: 'cbc',
      status: 'ACTIVE',
      expiration: '2099-12-31T23:59:59.000000',
      content_types: { default: 'application/octet-stream' },
      creator_id: secrets.user,
      created: time,
      updated: time,
      consumers: [],
    });
  });

  it('has a slash at its end for some clients, and no consumers before 1.1', async () => {
    const answer = await secrets.send('POST', '/secrets/', { body: {} });
    expect(answer.status).toBe(201);
    const path = new URL((answer.body as { secret_ref: string }).secret_ref).pathname.slice(3);
    expect((await secrets.send('GET', path, { version: '1.0' })).body).not.toHaveProperty(
      'consumers',
    );
    expect(await secrets.show(path)).toMatchObject({ name: null, secret_type: 'opaque' });
  });

  it.each([
    ['', ''],
    [' one ', 'one'],
    [null, null],
  ])('keeps the name %j as %j', async (given, kept) => {
    const id = await secrets.create({ name: given });
    expect(await secrets.show(`/secrets/${id}`)).toMatchObject({ name: kept });
  });

  it('accepts an encoding alone, for a payload that follows', async () => {
    const id = await secrets.create({ payload_content_encoding: 'base64' });
    const headers = { 'Content-Type': 'text/plain' };
    const { status } = await secrets.send('PUT', `/secrets/${id}`, { headers, body: 'later' });
    expect(status).toBe(204);
  });

  it.each(['symmetric', 'public', 'private', 'passphrase', 'certificate', 'opaque'])(
    'accepts the type %s',
    async (secret_type) => {
      const id = await secrets.create({ ...SECRET, secret_type });
      expect(await secrets.show(`/secrets/${id}`)).toMatchObject({ secret_type });
    },
  );

  it('is refused to readers', async () => {
    const { status } = await secrets.send('POST', '/secrets', {
      token: secrets.reader,
      body: SECRET,
    });
    expect(status).toBe(403);
  });

  it('creates one secret per Idempotency-Key, without storing its payload', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const [one, other] = [
      await secrets.send('POST', '/secrets', { headers, body: SECRET }),
      await secrets.send('POST', '/secrets', { headers, body: SECRET }),
    ];
    expect(other.body).toEqual(one.body);
    const changed = { ...SECRET, payload: 'another' };
    const refused = await secrets.send('POST', '/secrets', { headers, body: changed });
    expect(refused.status).toBe(422);
  });

  const binary = { payload: 'AA==', payload_content_type: 'application/octet-stream' };
  const base64 = { ...binary, payload_content_encoding: 'base64' };

  it.each([
    ['a type that is none', { secret_type: 'magic' }, 'secret_type must be one of symmetric,'],
    ['no bits', { bit_length: 0 }, 'bit_length must not be less than 1'],
    ['bits in words', { bit_length: 'many' }, 'bit_length must be an integer number'],
    ['too many bits', { bit_length: 32_768 }, 'bit_length must not be greater than 32767'],
    ['a time that has passed', { expiration: '2001-01-01' }, "'2001-01-01' has passed already"],
    ['a time that is none', { expiration: 'soon' }, 'expiration must be a time in ISO 8601'],
    ['a long name', { name: 'x'.repeat(256) }, 'name must be shorter than or equal to 255'],
    ['no payload', { ...SECRET, payload: '' }, 'payload must have at least one byte'],
    ['a number', { ...SECRET, payload: 7 }, 'payload must be a string'],
    ['no content type', { payload: 'x' }, 'payload_content_type is required'],
    ['a content type alone', { payload_content_type: 'text/plain' }, 'payload is required'],
    ['an unknown content type', { ...SECRET, payload_content_type: 'text/html' }, "'text/html'"],
    [
      'another charset',
      { ...SECRET, payload_content_type: 'text/plain; charset=latin-1' },
      'is not one of text/plain, application/octet-stream, application/pkcs8',
    ],
    [
      'text in base64',
      { ...SECRET, payload_content_encoding: 'base64' },
      'must not be given for text/plain',
    ],
    ['bytes as they are', binary, 'payload_content_encoding must be base64'],
    [
      'an unknown encoding',
      { ...base64, payload_content_encoding: 'hex' },
      'must be one of base64',
    ],
    ['no base64', { ...base64, payload: '%%%%' }, 'payload is not base64'],
    ['broken base64', { ...base64, payload: 'AAA' }, 'payload is not base64'],
    ['half a character', { ...SECRET, payload: '\ud800' }, 'half of a surrogate pair'],
    ['a transport key', { ...SECRET, transport_key_needed: 'true' }, 'transport_key_needed'],
    ['what such a key wraps', { ...SECRET, transport_key_id: '1' }, 'transport_key_id'],
  ])('refuses %s, and leaves nothing', async (_what, body, message) => {
    const before = await rows();
    expect(errorOf(await post(body))).toEqual([400, expect.stringContaining(message)]);
    expect(await rows()).toBe(before);
  });

  it('refuses a payload over its limit, which counts bytes, not their form', async () => {
    const before = await rows();
    const bytes = (length: number) => ({
      ...base64,
      payload: Buffer.alloc(length).toString('base64'),
    });
    expect(errorOf(await post(bytes(20_001)))).toEqual([
      413,
      'The payload has 20001 bytes; at most 20000 are allowed.',
    ]);
    expect(errorOf(await post({ ...SECRET, payload: 'é'.repeat(10_001) }))[0]).toBe(413);
    expect(await rows()).toBe(before);
    expect((await post(bytes(20_000))).status).toBe(201);
  });

  it('accepts JSON only', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await secrets.send('POST', '/secrets', { headers, body: 's3cret' });
    expect(errorOf(answer)[0]).toBe(415);
  });
});

describe('a secret that has expired', () => {
  it('does not exist any more, and is deleted', async () => {
    const before = await rows();
    const id = await secrets.create({ ...SECRET, expiration: '2099-01-01' });
    const { dataSource } = secrets.started.app;
    await dataSource.query(`UPDATE secrets SET expiration = now() WHERE id = $1`, [id]);
    expect((await secrets.send('GET', `/secrets/${id}`)).status).toBe(404);
    expect((await secrets.payload(id)).status).toBe(404);
    const { body } = await secrets.send('GET', '/secrets?limit=100');
    expect(JSON.stringify(body)).not.toContain(id);
    // Or the service has forgotten it by itself already.
    await secrets.started.app.nest.get(SecretsService).forget(secrets.started.ctx);
    expect(await rows()).toBe(before);
  });
});

describe('DELETE /v1/secrets/{secret_id}', () => {
  it('leaves nothing of it', async () => {
    const before = await rows();
    const id = await secrets.create();
    expect((await secrets.send('DELETE', `/secrets/${id}`)).status).toBe(204);
    expect(await rows()).toBe(before);
    expect(errorOf(await secrets.send('DELETE', `/secrets/${id}`))).toEqual([
      404,
      `Secret not found. There is no secret ${id}.`,
    ]);
  });

  it('takes it out of its containers', async () => {
    const id = await secrets.create();
    const container = await secrets.contain('generic', { one: id, other: await secrets.create() });
    await secrets.send('DELETE', `/secrets/${id}`);
    const { secret_refs: refs } = await secrets.show(`/containers/${container}`);
    expect(refs).toEqual([{ name: 'other', secret_ref: expect.any(String) }]);
  });

  describe('of one that has consumers', () => {
    let id: string;

    beforeEach(async () => {
      id = await secrets.create();
      const body = { service: 'load-balancer', resource_type: 'listener', resource_id: newId() };
      await secrets.send('POST', `/secrets/${id}/consumers`, { body });
    });

    it('is refused since 1.2', async () => {
      expect(errorOf(await secrets.send('DELETE', `/secrets/${id}`))).toEqual([
        400,
        `Secret ${id} has consumers; remove them first, or delete it with force=true.`,
      ]);
      expect((await secrets.send('DELETE', `/secrets/${id}?force=false`)).status).toBe(400);
      expect(errorOf(await secrets.send('DELETE', `/secrets/${id}?force=perhaps`))[1]).toContain(
        'force',
      );
      expect((await secrets.send('GET', `/secrets/${id}`)).status).toBe(200);
    });

    it('is done with force', async () => {
      expect((await secrets.send('DELETE', `/secrets/${id}?force=true`)).status).toBe(204);
    });

    it('is done before 1.2', async () => {
      const version = '1.1';
      expect((await secrets.send('DELETE', `/secrets/${id}`, { version })).status).toBe(204);
    });
  });
});

it.each(['nothing', newId(), '0', '%00'])('finds no secret %s', async (id) => {
  expect([400, 404]).toContain((await secrets.send('GET', `/secrets/${id}`)).status);
});

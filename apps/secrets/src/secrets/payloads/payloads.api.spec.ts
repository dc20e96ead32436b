import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { errorOf, SECRET, TestSecrets } from '../../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start({ maxPayloadBytes: 1_000 });
});
afterAll(() => secrets.stop());

const BYTES = Buffer.from([0, 1, 2, 254, 255]);
const BINARY = {
  payload: BYTES.toString('base64'),
  payload_content_type: 'application/octet-stream',
  payload_content_encoding: 'base64',
};

/** The bytes of a payload, which the tests' client reads as text. */
async function bytesOf(id: string, accept: string): Promise<Buffer> {
  const url = `${secrets.client.baseUrl}/v1/secrets/${id}/payload`;
  const headers = { 'X-Auth-Token': secrets.member, Accept: accept };
  return Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
}

describe('a payload', () => {
  it('is returned unchanged, with its type', async () => {
    const text = ' pässword\n';
    const id = await secrets.create({ ...SECRET, payload: text });
    const answer = await secrets.payload(id);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
  });

  it.each(['application/octet-stream', 'application/pkcs8'])('of %s is bytes', async (type) => {
    const id = await secrets.create({ ...BINARY, payload_content_type: type });
    expect(await bytesOf(id, type)).toEqual(BYTES);
    expect((await secrets.payload(id)).headers.get('Content-Type')).toBe(type);
  });

  it('accepts base64 with line breaks', async () => {
    const id = await secrets.create({ ...BINARY, payload: 'AAEC\n/v8=\n' });
    expect(await bytesOf(id, '*/*')).toEqual(BYTES);
  });

  it('is available in another type if it fits', async () => {
    const text = await secrets.create();
    expect((await bytesOf(text, 'application/octet-stream')).toString()).toBe(SECRET.payload);
    const binary = await secrets.create(BINARY);
    const answer = await secrets.payload(binary, secrets.member, { Accept: 'text/plain' });
    expect(errorOf(answer)).toEqual([
      406,
      `The payload of secret ${binary} is not available as 'text/plain'; it is application/octet-stream.`,
    ]);
  });

  it.each(['text/html', 'application/json', 'text/plain; charset=latin-1'])(
    'is not available as %s',
    async (accept) => {
      const id = await secrets.create();
      expect((await secrets.payload(id, secrets.member, { Accept: accept })).status).toBe(406);
    },
  );

  it('is available by Accept at the URL of the secret', async () => {
    const id = await secrets.create();
    const at = (accept: string) =>
      secrets.send('GET', `/secrets/${id}`, { headers: { Accept: accept } });
    expect((await at('text/plain')).text).toBe(SECRET.payload);
    for (const accept of ['application/json', '*/*', 'text/html, application/json;q=0.5'])
      expect((await at(accept)).body).toMatchObject({ name: SECRET.name });
    expect((await at('text/html')).status).toBe(406);
  });

  it('that does not exist is not found', async () => {
    const id = await secrets.create({ name: 'empty' });
    expect(await secrets.show(`/secrets/${id}`)).not.toHaveProperty('content_types');
    expect(errorOf(await secrets.payload(id))).toEqual([404, `Secret ${id} has no payload.`]);
  });
});

describe('PUT /v1/secrets/{secret_id}', () => {
  const put = async (
    body: unknown,
    headers: Readonly<Record<string, string>>,
    id?: string,
  ): Promise<TestResponse> => {
    const to = id ?? (await secrets.create({ name: 'empty' }));
    return secrets.send('PUT', `/secrets/${to}`, { body, headers });
  };

  it('stores the payload, once', async () => {
    const id = await secrets.create({ name: 'empty' });
    const type = { 'Content-Type': 'text/plain' };
    expect((await put('later', type, id)).status).toBe(204);
    expect((await secrets.payload(id)).text).toBe('later');
    expect(await secrets.show(`/secrets/${id}`)).toMatchObject({
      content_types: { default: 'text/plain' },
    });
    expect(errorOf(await put('again', type, id))).toEqual([
      409,
      `Secret ${id} has a payload already, which cannot be changed.`,
    ]);
    expect((await secrets.payload(id)).text).toBe('later');
  });

  it('lets only one of two concurrent requests store it', async () => {
    const id = await secrets.create({ name: 'empty' });
    const type = { 'Content-Type': 'text/plain' };
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((one) => put(one, type, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);
  });

  it.each([
    ['as they are', BYTES, {}],
    ['in base64', BYTES.toString('base64'), { 'Content-Encoding': 'base64' }],
  ])('takes bytes %s', async (_how, body, encoding) => {
    const id = await secrets.create({ name: 'empty' });
    const headers = { 'Content-Type': 'application/octet-stream', ...encoding };
    expect((await put(body, headers, id)).status).toBe(204);
    expect(await bytesOf(id, '*/*')).toEqual(BYTES);
  });

  it.each([
    [
      'JSON',
      { a: 1 },
      { 'Content-Type': 'application/json' },
      415,
      "'application/json' is neither",
    ],
    ['HTML', 'x', { 'Content-Type': 'text/html' }, 415, 'Content-Type'],
    ['another charset', 'x', { 'Content-Type': 'text/plain; charset=latin-1' }, 415, 'latin-1'],
    ['PKCS 8', 'x', { 'Content-Type': 'application/pkcs8' }, 415, 'Content-Type'],
    [
      'text in base64',
      'eA==',
      { 'Content-Type': 'text/plain', 'Content-Encoding': 'base64' },
      415,
      "Content-Encoding 'base64' is not supported for text/plain",
    ],
    [
      'gzip',
      'x',
      { 'Content-Type': 'application/octet-stream', 'Content-Encoding': 'gzip' },
      415,
      "Content-Encoding 'gzip'",
    ],
    [
      'no base64',
      '%%%%',
      { 'Content-Type': 'application/octet-stream', 'Content-Encoding': 'base64' },
      400,
      'the body is not base64',
    ],
    ['nothing', '', { 'Content-Type': 'text/plain' }, 400, 'payload must have at least one byte'],
    ['no text', BYTES, { 'Content-Type': 'text/plain' }, 400, 'is not text in UTF-8'],
    ['too much', 'x'.repeat(1_001), { 'Content-Type': 'text/plain' }, 413, 'has 1001 bytes'],
  ])('refuses %s, and leaves nothing', async (_what, body, headers, status, message) => {
    const id = await secrets.create({ name: 'empty' });
    expect(errorOf(await put(body, headers, id))).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect((await secrets.payload(id)).status).toBe(404);
  });
});

describe('a stored payload', () => {
  const PAYLOAD = 'Tr0ub4dor-and-3-more';

  it('is nowhere in the database in plain text, base64 or hexadecimal', async () => {
    await secrets.create({ ...SECRET, payload: PAYLOAD });
    const { dataSource } = secrets.started.app;
    const tables = await dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const found = await Promise.all(
      tables.map(({ name }) => dataSource.query<unknown[]>(`SELECT t::text FROM "${name}" t`)),
    );
    const text = JSON.stringify(found);
    expect(text.length).toBeGreaterThan(500);
    for (const form of ['utf8', 'base64', 'hex'] as const)
      expect(text).not.toContain(Buffer.from(PAYLOAD).toString(form));
  });

  it('is in no log and in no error', async () => {
    const answers = [
      await secrets.send('POST', '/secrets', { body: { payload: PAYLOAD } }),
      await secrets.send('POST', '/secrets', { body: { ...SECRET, payload: [PAYLOAD] } }),
      await secrets.send('POST', '/secrets', { body: `{"payload": "${PAYLOAD}"` }),
      await secrets.send('POST', '/secrets', { body: { ...BINARY, payload: `${PAYLOAD}%` } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    for (const { text } of answers) expect(text).not.toContain(PAYLOAD);
    await secrets.create({ ...SECRET, payload: PAYLOAD });
    expect(secrets.started.logs.length).toBeGreaterThan(3);
    expect(JSON.stringify(secrets.started.logs)).not.toContain(PAYLOAD);
  });

  it('cannot be decrypted in the row of another secret, without a reason in the answer', async () => {
    const [one, other] = [await secrets.create(), await secrets.create()];
    await secrets.started.app.dataSource.query(
      `UPDATE secret_payloads SET sealed =
         (SELECT sealed FROM secret_payloads WHERE secret_id = $1) WHERE secret_id = $2`,
      [one, other],
    );
    expect(errorOf(await secrets.payload(other))[0]).toBe(500);
    expect((await secrets.payload(one)).text).toBe(SECRET.payload);
  });
});

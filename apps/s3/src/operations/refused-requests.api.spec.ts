/** A request that is not in the table is refused by name, and changes nothing. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { providersOf } from '@cumulet/common/service/feature';
import { TestS3 } from '../s3.fixture.js';
import { signedFetch, type SignedAnswer, type SignedRequest } from '../signed-fetch.fixture.js';
import { amazonModel } from './amazon-model.fixture.js';
import { handlersAmong } from './operation.js';
import { ENCRYPTED, isRefusedHeader, isRead, type OperationDeclaration } from './operation-row.js';
import { OPERATIONS } from './operations.js';

const ROWS: readonly OperationDeclaration[] = OPERATIONS;
const PATHS = { service: '/', bucket: '/kept', object: '/kept/object' };
const XML = '<a/>';
/** Tables whose rows a request could change. */
const TABLES = ['buckets', 'objects', 'uploads', 'parts', 'loose_data', 'bucket_events'];

let s3: TestS3;

/** Everything that the service stores, as text. */
async function stored(): Promise<string> {
  const rows = await Promise.all(
    TABLES.map((table) =>
      s3.started.app.dataSource.query<unknown[]>(`SELECT * FROM ${table} ORDER BY 1, 2`),
    ),
  );
  return JSON.stringify(rows);
}

beforeAll(async () => {
  s3 = await TestS3.start({ role: 'api' });
  await signedFetch(s3, { method: 'PUT', path: '/kept' });
  const headers = { 'x-amz-meta-a': 'b', 'x-amz-tagging': 'a=b' };
  await signedFetch(s3, { method: 'PUT', path: '/kept/object', headers, body: 'bytes' });
});
afterAll(() => s3.stop());

/** Sends a request, and checks that nothing has changed. */
async function refused(request: SignedRequest): Promise<SignedAnswer> {
  const before = await stored();
  const body = ['GET', 'HEAD'].includes(request.method) ? {} : { body: XML };
  const answer = await signedFetch(s3, { ...body, ...request });
  expect(await stored()).toBe(before);
  return answer;
}

const asked = ({ method, on, query, header }: OperationDeclaration): SignedRequest => ({
  method,
  path: PATHS[on] + (query === '' ? '' : `?${query}`),
  headers: header === undefined ? {} : { [header]: '/kept/object' },
});

it('an operation that is not supported is named', async () => {
  const served = handlersAmong(providersOf(s3.started.app.nest));
  const others = ROWS.filter(({ name }) => !served.has(name as never));
  expect(others.length).toBeGreaterThan(20);
  for (const operation of others) {
    const answer = await refused(asked(operation));
    expect([operation.name, answer.status, answer.code]).toEqual([
      operation.name,
      501,
      'NotImplemented',
    ]);
    expect(answer.text).toContain(`The operation ${operation.name} `);
  }
});

describe('a write with an unsupported query parameter', () => {
  const names = [...new Set(ROWS.flatMap(({ query }) => query.split(/[&=]/)))].filter(
    (name) => name !== '' && name !== '2',
  );
  const isThere = (method: string, on: string, name: string): boolean =>
    ROWS.some(
      (row) => row.method === method && row.on === on && row.query.split('&').includes(name),
    );

  it.each([
    ['PUT', 'object'],
    ['POST', 'object'],
    ['DELETE', 'object'],
    ['PUT', 'bucket'],
    ['POST', 'bucket'],
    ['DELETE', 'bucket'],
  ] as const)('is refused, whatever subresource it names: %s %s', async (method, on) => {
    for (const name of names.filter((one) => !isThere(method, on, one))) {
      const answer = await refused({ method, path: `${PATHS[on]}?${name}` });
      const isKnown = ['NotImplemented', 'MethodNotAllowed', 'InvalidArgument'];
      expect([name, isKnown.includes(answer.code ?? '')]).toEqual([name, true]);
    }
  });

  it.each([
    ['PUT', '/kept/object?policy', 501, 'NotImplemented'],
    ['DELETE', '/kept/object?acl', 405, 'MethodNotAllowed'],
    ['DELETE', '/kept?logging', 405, 'MethodNotAllowed'],
    ['PUT', '/kept/object?partNumber=1', 400, 'InvalidArgument'],
    ['PUT', '/kept/object?versionId=null', 400, 'InvalidArgument'],
    ['PUT', '/kept/object?append&position=0', 400, 'InvalidArgument'],
    ['PUT', '/kept/object?ACL', 400, 'InvalidArgument'],
    ['PUT', '/kept/object?acl&tagging', 400, 'InvalidArgument'],
    ['DELETE', '/kept/object?versionId=null&force=1', 400, 'InvalidArgument'],
    ['DELETE', '/kept?force', 400, 'InvalidArgument'],
    ['PUT', '/other?force', 400, 'InvalidArgument'],
  ])(
    'is refused with the name of the parameter or operation: %s %s',
    async (method, path, status, code) => {
      const answer = await refused({ method, path });
      expect([answer.status, answer.code]).toEqual([status, code]);
    },
  );
});

it('a header of the model that a write does not support is refused by name', async () => {
  for (const { name, headers } of amazonModel().operations) {
    const row = ROWS.find((one) => one.name === name);
    if (!row || isRead(row)) continue;
    const taken = new Set([row.header ?? '', ...(row.headers ?? [])]);
    for (const header of headers.filter((one) => isRefusedHeader(one, taken))) {
      const request = asked(row);
      const answer = await refused({ ...request, headers: { ...request.headers, [header]: '1' } });
      const status = ENCRYPTED.includes(header) ? 400 : 501;
      expect([name, header, answer.status]).toEqual([name, header, status]);
      expect(answer.text).toContain(header);
    }
  }
});

it.each([
  ['PUT', '/kept/object', 'x-amz-object-if-match', '"a"'],
  ['PUT', '/kept/object', 'x-amz-rename-source', '/kept/other'],
  ['PUT', '/kept/object', 'if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['PUT', '/kept/object', 'content-range', 'bytes 0-3/10'],
  ['PUT', '/kept/object', 'x-amz-copy-source-if-match', '"a"'],
  ['PUT', '/kept/object', 'x-amz-of-tomorrow', '1'],
  ['PUT', '/kept/object?tagging', 'if-match', '"a"'],
  ['DELETE', '/kept/object', 'if-none-match', '*'],
  ['DELETE', '/kept', 'if-match', '*'],
])('an unsupported condition of a write is never ignored: %s %s %s', async (...given) => {
  const [method, path, header, value] = given;
  const answer = await refused({ method, path, headers: { [header]: value } });
  expect([answer.status, answer.code]).toEqual([501, 'NotImplemented']);
  expect(answer.text).toContain(`<Header>${header}</Header>`);
});

it.each([
  [
    'PUT',
    '/kept/object?partNumber=1&uploadId=a',
    'x-amz-server-side-encryption-bucket-key-enabled',
  ],
  ['DELETE', '/kept/object?uploadId=a', 'x-amz-server-side-encryption'],
  ['GET', '/kept/object', 'x-amz-server-side-encryption'],
  ['PUT', '/kept/object?tagging', 'x-amz-server-side-encryption-customer-key'],
])('encryption headers are refused where nothing is stored: %s %s', async (...given) => {
  const [method, path, header] = given;
  const answer = await refused({ method, path, headers: { [header]: 'AES256' } });
  expect([answer.status, answer.code]).toEqual([400, 'InvalidArgument']);
  expect(answer.text).toContain(`${header} header is not supported for this operation.`);
  expect(answer.text).not.toContain('AES256');
});

it('a read ignores unknown parameters, as links to public files have them', async () => {
  for (const path of ['/kept/object?v=3', '/kept/object?policy', '/kept/object?x-id=GetObject'])
    expect(await refused({ method: 'GET', path })).toMatchObject({ status: 200, text: 'bytes' });
  expect((await refused({ method: 'GET', path: '/kept?v=3' })).status).toBe(200);
});

it('a write accepts parameters and headers of SDKs and signatures', async () => {
  const headers = { 'x-amz-user-agent': 'a', 'x-amz-mfa': 'a b', 'x-amz-meta-z': '1' };
  const path = '/kept/written?x-id=PutObject';
  expect((await signedFetch(s3, { method: 'PUT', path, headers, body: 'a' })).status).toBe(200);
  const deleted = await signedFetch(s3, { method: 'DELETE', path: '/kept/written' });
  expect(deleted.status).toBe(204);
});

it('a bucket is not created for an owner other than the expected one', async () => {
  const headers = { 'x-amz-expected-bucket-owner': s3.stranger.projectId };
  const answer = await refused({ method: 'PUT', path: '/fresh', headers, body: '' });
  expect([answer.status, answer.code]).toEqual([403, 'AccessDenied']);
});

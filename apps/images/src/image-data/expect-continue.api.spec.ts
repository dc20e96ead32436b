import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { rawRequest } from '@cumulet/testing/raw-request';
import type { TestResponse } from '@cumulet/testing/http-client';
import { TestImages } from '../images.fixture.js';

let images: TestImages;
let queued: string;
let active: string;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  images = await TestImages.start({ imageSizeLimit: 1_000 });
  queued = (await images.create()).id;
  active = (await images.createActive('first')).id;
});
afterAll(async () => {
  agent.destroy();
  await images.stop();
});

interface Announced {
  readonly token?: string;
  readonly length?: number;
  readonly type?: string;
  /** A body sent without waiting for 100 Continue. */
  readonly body?: string;
}

/** Everything received by a client that waits for 100 Continue, until the connection ends. */
function announce(
  path: string,
  { token = images.member, length = 4, type = 'application/octet-stream', body = '' }: Announced,
): Promise<TestResponse> {
  const lines = [
    `${path} HTTP/1.1`,
    'Host: x',
    'Expect: 100-continue',
    `X-Auth-Token: ${token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
  ];
  return rawRequest(images.client.baseUrl, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends the body after 100 Continue. */
async function sendWhenAsked(
  method: string,
  path: string,
  type: string,
  body: string,
): Promise<{ status: number | undefined; reusedSocket: boolean }> {
  const request = httpRequest(images.client.baseUrl + path, {
    agent,
    method,
    headers: {
      Expect: '100-continue',
      'X-Auth-Token': images.member,
      'Content-Type': type,
      'Content-Length': body.length,
    },
  });
  request.flushHeaders();
  await once(request, 'continue');
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return { status: response.statusCode, reusedSocket: request.reusedSocket };
}

describe('in place of a 100 Continue', () => {
  it.each<[number, string, () => Promise<TestResponse>]>([
    [401, 'of nobody', () => announce(`PUT /v2/images/${queued}/file`, { token: 'unknown' })],
    [403, 'of a reader', () => announce(`PUT /v2/images/${queued}/file`, { token: images.reader })],
    [404, 'of no image', () => announce(`PUT /v2/images/${newId()}/file`, {})],
    [409, 'that the image has', () => announce(`PUT /v2/images/${active}/file`, {})],
    [413, 'over the limit', () => announce(`PUT /v2/images/${queued}/file`, { length: 1_001 })],
    [413, 'over it, to stage', () => announce(`PUT /v2/images/${queued}/stage`, { length: 1_001 })],
    [415, 'that is text', () => announce(`PUT /v2/images/${queued}/file`, { type: 'text/plain' })],
    [415, 'that is no JSON', () => announce('POST /v2/images', { type: 'text/plain' })],
    [
      413,
      'of JSON over the limit',
      () => announce('POST /v2/images', { type: 'application/json', length: 9e9 }),
    ],
    [404, 'of no route', () => announce('GET /v2/nothing', {})],
  ])('%i refuses data %s', async (status, _what, announced) => {
    const response = await announced();
    expect(response.status).toBe(status);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('409 refuses data sent without waiting', async () => {
    const response = await announce(`PUT /v2/images/${active}/file`, { body: 'data' });
    expect(response.status).toBe(409);
  });
});

describe('100 Continue asks for', () => {
  it('wanted data, and the next on the same connection', async () => {
    const { id } = await images.create();
    const octets = 'application/octet-stream';
    const first = await sendWhenAsked('PUT', `/v2/images/${queued}/file`, octets, 'one');
    const second = await sendWhenAsked('PUT', `/v2/images/${id}/file`, octets, 'two');
    expect(first).toEqual({ status: 204, reusedSocket: false });
    expect(second).toEqual({ status: 204, reusedSocket: true });
  });

  it('a body of JSON', async () => {
    const body = JSON.stringify({ name: 'patient' });
    const answer = await sendWhenAsked('POST', '/v2/images', 'application/json', body);
    expect(answer.status).toBe(201);
  });
});

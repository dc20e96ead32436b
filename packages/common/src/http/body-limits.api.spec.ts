import 'reflect-metadata';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type StartedService } from '@cumulet/testing/start-service';
import type { ServiceConfig } from '../service/service-settings.js';
import { widgetsService } from '../app/widgets-service.fixture.js';

let service: StartedService<ServiceConfig>;

beforeAll(async () => {
  service = await startService(widgetsService, {}, { config: { bodySeconds: 0.5 } });
});
afterAll(() => service.stop());

/** All that is answered until the connection ends, to a body that comes a byte at a time. */
async function trickled(head: string): Promise<string> {
  const socket = connect(Number(new URL(service.client.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${head}\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{`);
  const trickle = setInterval(() => socket.write(' '), 50);
  try {
    return await text(socket);
  } finally {
    clearInterval(trickle);
  }
}

it("a slow body is answered 408 in the service's envelope, and disconnected", async () => {
  const answer = await trickled('POST /v1/texts HTTP/1.1\r\nContent-Type: application/json');
  const message = 'The body of the request did not arrive within 0.5 seconds.';
  expect(answer).toMatch(/^HTTP\/1.1 408 .*\r\nconnection: close\r\n/is);
  expect(answer).toContain(JSON.stringify({ requestTimeout: { code: 408, message } }));
});

it.each([
  ['that nobody wants', 'GET', '/v1/texts', 200],
  ['of a type that nobody takes', 'POST', '/v1/texts', 415],
])('a body %s keeps no connection open', async (_, method, path, status) => {
  const answer = await trickled(`${method} ${path} HTTP/1.1\r\nContent-Type: text/plain`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close\r\n`, 'is'));
});

describe('a route', () => {
  const body = { text: 'x'.repeat(1_500_000) };
  /** Whose bodies have as much time as they need. */
  let patient: StartedService<ServiceConfig>;

  beforeAll(async () => {
    patient = await startService(widgetsService, {});
  });
  afterAll(() => patient.stop());

  it('refuses bodies above one mebibyte', async () => {
    expect((await patient.client.post('/v1/texts', { body })).status).toBe(413);
  });

  it('may set its own limit', async () => {
    const { status, body: answer } = await patient.client.post('/v1/long-texts', { body });
    expect([status, answer]).toEqual([200, { length: 1_500_000 }]);
    const tooLong = { text: 'x'.repeat(2_000_001) };
    expect((await patient.client.post('/v1/long-texts', { body: tooLong })).status).toBe(413);
  });
});

/** Bodies that come a byte at a time, to a service that the ingress passes them on to. */
import 'reflect-metadata';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServiceConfig } from '@cumulet/common/service/service-settings';
import { widgetsService } from '@cumulet/common/app/widgets-service.fixture';
import { startService, type StartedService } from '@cumulet/testing/start-service';
import { Ingress } from './ingress.js';

const ingress = new Ingress();
let service: StartedService<ServiceConfig>;
let port: number;

beforeAll(async () => {
  service = await startService(widgetsService, {}, { config: { bodySeconds: 0.5 } });
  ingress.mount('/widget', service.app);
  port = await ingress.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await ingress.close();
  await service.stop();
});

it.each([
  ['that is read', 'POST', 'application/json', 408],
  ['that nobody reads', 'GET', 'text/plain', 200],
  ['of an unsupported type', 'POST', 'text/plain', 415],
])('a slow body %s does not keep its connection open', async (_, method, type, status) => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `${method} /widget/v1/texts HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n{`,
  );
  const trickle = setInterval(() => socket.write(' '), 50);
  const answer = await text(socket).finally(() => clearInterval(trickle));
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close\r\n`, 'is'));
});

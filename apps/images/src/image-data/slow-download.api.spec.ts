import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, it, jest } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from '../images.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({ unreadSeconds: 1 });
});
afterAll(() => images.stop());

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}

it('a download that nobody reads is aborted, and releases its data', async () => {
  const { id } = await images.createActive('data');
  const data = Readable.from(endless());
  jest.spyOn(images.store, 'open').mockResolvedValue(data);
  const { hostname, port } = new URL(images.client.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const lines = [`GET /v2/images/${id}/file HTTP/1.1`, 'Host: x', `X-Auth-Token: ${images.member}`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  await eventually('the data is closed', () => data.closed);
  socket.destroy();
});

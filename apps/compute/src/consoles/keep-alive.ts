import type { WebSocket } from 'ws';

const PING_EVERY_MS = 30_000;

/** Ends a WebSocket whose client has gone without a word, and so does not answer a ping. */
export function keepAlive(client: WebSocket): void {
  let answers = true;
  client.on('pong', () => (answers = true));
  const pings = setInterval(() => {
    if (!answers) client.terminate();
    else {
      answers = false;
      client.ping();
    }
  }, PING_EVERY_MS);
  pings.unref();
  client.once('close', () => clearInterval(pings));
}

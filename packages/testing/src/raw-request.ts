/** Sends a request byte by byte that no HTTP client would send. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { parsed, type TestResponse } from './http-client.js';

/** @returns the answer, read until the server closes the connection */
export async function rawRequest(baseUrl: string, bytes: string): Promise<TestResponse> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const answer = await text(socket);
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text: body,
    body: parsed(body),
  };
}

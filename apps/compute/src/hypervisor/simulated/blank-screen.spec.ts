import { expect, it } from '@jest/globals';
import { BlankScreen } from './blank-screen.js';

/** A screen after the handshake. */
function connected(): BlankScreen {
  const screen = new BlankScreen();
  expect(screen.receive(Buffer.from('RFB 003.008\n'))).toEqual(Buffer.from([1, 1]));
  expect(screen.receive(Buffer.from([1]))).toEqual(Buffer.alloc(4));
  const init = screen.receive(Buffer.from([1]));
  expect([init?.readUInt16BE(0), init?.readUInt16BE(2)]).toEqual([64, 48]);
  return screen;
}

it('answers a request for the whole screen with all its pixels', () => {
  const request = [3, 0, 0, 0, 0, 0, 0, 64, 0, 48];
  expect(connected().receive(Buffer.from(request))).toHaveLength(16 + 64 * 48 * 4);
});

it('does not answer a request for changes, keys or encodings', () => {
  const encodings = [2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7];
  const key = [4, 1, 0, 0, 0, 0, 0, 65];
  const changes = [3, 1, 0, 0, 0, 0, 0, 64, 0, 48];
  const all = Buffer.from([...encodings, ...key, ...changes]);
  expect(connected().receive(all)).toHaveLength(0);
});

it('waits for the rest of a message', () => {
  const screen = connected();
  expect(screen.receive(Buffer.from([2, 0, 0]))).toHaveLength(0);
  expect(screen.receive(Buffer.from([1, 0, 0, 0, 0, 3, 0]))).toHaveLength(0);
  const rest = [0, 0, 0, 0, 0, 64, 0, 48];
  expect(screen.receive(Buffer.from(rest))).toHaveLength(16 + 64 * 48 * 4);
});

it('refuses a message that no client sends', () => {
  expect(connected().receive(Buffer.from([200]))).toBeUndefined();
});

import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { whole } from './request-body.js';

const STALL_MS = 60_000;

afterEach(() => {
  jest.restoreAllMocks();
});

/** @returns a function that lets the stall timeout expire */
function silenceOf(make: () => Readable): { body: Readable; end: () => void } {
  let end = (): void => undefined;
  jest.spyOn(globalThis, 'setTimeout').mockImplementationOnce((run) => {
    end = run;
    const timer = { unref: () => timer, refresh: () => timer };
    return timer as never;
  });
  const body = make();
  return { body, end };
}

/** A request whose bytes the test sends. */
const request = (): PassThrough & IncomingMessage => new PassThrough() as never;
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a request body', () => {
  it('has the bytes that were sent', async () => {
    const sent = request();
    const body = whole(sent, STALL_MS);
    sent.write('one ');
    sent.end('two');
    const pieces: Buffer[] = [];
    for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('one two');
  });

  it('fails if the client disconnects', async () => {
    const sent = request();
    const body = whole(sent, STALL_MS);
    sent.write('half');
    const failure = body.toArray();
    sent.destroy();
    await expect(failure).rejects.toMatchObject({ code: 'IncompleteBody' });
    await expect(whole(sent, STALL_MS).toArray()).rejects.toMatchObject({ code: 'IncompleteBody' });
  });

  it('fails if the client stalls', async () => {
    const sent = request();
    const { body, end } = silenceOf(() => whole(sent, STALL_MS));
    const outcome = expect(body.toArray()).rejects.toMatchObject({ code: 'RequestTimeout' });
    sent.write('a');
    await turn();
    end();
    await outcome;
    expect(sent.destroyed).toBe(false);
  });

  it('waits for a slow reader without a limit', async () => {
    const sent = request();
    const { body, end } = silenceOf(() => whole(sent, STALL_MS));
    sent.write(Buffer.alloc(1024 * 1024));
    body.read(1);
    await turn();
    end();
    expect(body.destroyed).toBe(false);
    sent.end();
    const pieces = (await body.toArray()) as Buffer[];
    expect(Buffer.concat(pieces)).toHaveLength(1024 * 1024);
  });

  it('buffers no more than its reader needs', async () => {
    const sent = request();
    const body = whole(sent, STALL_MS);
    for (let count = 0; count < 64; count++) sent.write(Buffer.alloc(64 * 1024));
    body.read(1);
    await turn();
    expect(body.readableLength).toBeLessThan(1024 * 1024);
    body.destroy();
  });

  it('releases the request once nobody reads it', async () => {
    const sent = request();
    const body = whole(sent, STALL_MS);
    body.read(1);
    body.destroy();
    await turn();
    expect(sent.destroyed).toBe(false);
    expect(sent.listenerCount('data')).toBe(0);
    expect(() => sent.emit('error', new Error('reset'))).not.toThrow();
  });
});

import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { UploadStalledError } from '../images/image.errors.js';
import { DataMeter } from './data-meter.js';

function aMeter({ limit = 1_000_000, stallSeconds = 3_600 } = {}): DataMeter {
  return new DataMeter({ limit, overLimit: () => new Error(`more than ${limit}`), stallSeconds });
}

describe('DataMeter', () => {
  it('passes bytes unchanged, and measures their size and hashes', async () => {
    const data = randomBytes(700_000);
    const meter = aMeter();
    const received: Buffer[] = [];
    await pipeline(
      Readable.from([data.subarray(0, 9), data.subarray(9)]),
      meter,
      async (through) => {
        for await (const chunk of through as AsyncIterable<Buffer>) received.push(chunk);
      },
    );
    expect(Buffer.concat(received).equals(data)).toBe(true);
    expect(meter.measured()).toEqual({
      size: data.length,
      md5: createHash('md5').update(data).digest('hex'),
      sha512: createHash('sha512').update(data).digest('hex'),
    });
  });

  it('passes exactly the limit, and not a byte more', async () => {
    const limited = aMeter({ limit: 10 });
    await pipeline(Readable.from([Buffer.alloc(10)]), limited.resume());
    const over = aMeter({ limit: 10 });
    const flow = pipeline(Readable.from([Buffer.alloc(10), Buffer.alloc(1)]), over.resume());
    await expect(flow).rejects.toThrow('more than 10');
  });

  it('ends when no bytes arrive', async () => {
    const meter = aMeter({ stallSeconds: 0.02 });
    const flow = pipeline(new Readable({ read: () => undefined }), meter.resume());
    await expect(flow).rejects.toThrow(UploadStalledError);
  });

  it('blames the store when nobody takes the bytes', async () => {
    const meter = aMeter({ stallSeconds: 0.02 });
    const data = new Readable({ read: () => undefined });
    data.push(Buffer.alloc(10));
    await expect(pipeline(data, meter)).rejects.toThrow(StoreUnavailableError);
  });

  it('ends with the error that it was given', async () => {
    const stalled = (): Error => new Error('the store hangs');
    const options = { limit: 1, overLimit: () => new Error(), stallSeconds: 0.02, stalled };
    const flow = pipeline(new Readable({ read: () => undefined }), new DataMeter(options).resume());
    await expect(flow).rejects.toThrow('the store hangs');
  });

  it('does not crash the process when it fails before anyone listens', async () => {
    const meter = aMeter();
    meter.destroy(new Error('early'));
    await new Promise((resolve) => meter.once('close', resolve));
    expect(meter.errored?.message).toBe('early');
  });
});

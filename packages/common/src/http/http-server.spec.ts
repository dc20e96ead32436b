import { describe, expect, it } from '@jest/globals';
import { StalledWrites } from './http-server.js';

/** A socket that was given 100 bytes, of which some wait. */
const waiting = (writableLength: number, writeQueueSize = writableLength) => ({
  bytesWritten: 100,
  writableLength,
  _handle: { writeQueueSize },
});

describe('a client', () => {
  it('that reads nothing is stalled after the limit', () => {
    const writes = new StalledWrites(1_000);
    expect(writes.isStalled(waiting(50), 0)).toBe(false);
    expect(writes.isStalled(waiting(50), 999)).toBe(false);
    expect(writes.isStalled(waiting(50), 1_000)).toBe(true);
  });

  it('that reads the next chunk is not stalled', () => {
    const writes = new StalledWrites(1_000);
    writes.isStalled(waiting(50), 0);
    expect(writes.isStalled(waiting(25), 1_000)).toBe(false);
    expect(writes.isStalled(waiting(25), 1_999)).toBe(false);
    expect(writes.isStalled(waiting(25), 2_000)).toBe(true);
  });

  it('that reads a byte of a large chunk is not stalled', () => {
    const writes = new StalledWrites(1_000);
    writes.isStalled(waiting(50), 0);
    expect(writes.isStalled(waiting(50, 49), 1_000)).toBe(false);
  });

  it('that has read everything is not stalled', () => {
    const writes = new StalledWrites(1_000);
    writes.isStalled(waiting(0), 0);
    expect(writes.isStalled(waiting(0), 5_000)).toBe(false);
    expect(writes.isStalled(waiting(1), 6_000)).toBe(false);
  });
});

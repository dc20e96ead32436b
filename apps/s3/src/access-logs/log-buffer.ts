/**
 * Lines of logs in memory, until they are stored.
 *
 * Always holds: it has at most so many bytes of lines, those among them that are just being stored.
 */
import { createHash } from 'node:crypto';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { NewLogBatch } from './access-log-batch.repository.js';
import { dayOf } from './log-key.js';
import type { LogLine } from './log-line.js';
import type { Logging } from './logging.js';

/** Bytes that the rest of a line's entry takes, about. */
const ENTRY = 64;

interface Collected {
  readonly batch: Omit<NewLogBatch, 'lines'>;
  lines: LogLine[];
}

export class LogBuffer {
  readonly #collected = new Map<string, Collected>();
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false if it is full, and has not taken the line */
  add(bucket: Bucket, logging: Logging, time: Date, line: LogLine): boolean {
    const size = line.length + ENTRY;
    if (this.#bytes + size > this.maxBytes) return false;
    const { id, projectId, region, name } = bucket;
    const day = dayOf(time);
    const text = JSON.stringify([id, day, logging]);
    const known = this.#collected.get(text) ?? {
      batch: { destination: hashOf(text), source: { projectId, region, name, logging, day } },
      lines: [],
    };
    known.lines.push(line);
    this.#collected.set(text, known);
    this.#bytes += size;
    return true;
  }

  /**
   * Hands over all lines.
   * @param store is given them; if it fails, they stay, before those that have come meanwhile
   */
  async drain(store: (batches: readonly NewLogBatch[]) => Promise<void>): Promise<void> {
    const taken = new Map(this.#collected);
    if (taken.size === 0) return;
    this.#collected.clear();
    const [...all] = taken.values();
    try {
      await store(all.map(({ batch, lines }) => ({ ...batch, lines: lines.join('') })));
      for (const { lines } of all) for (const line of lines) this.#bytes -= line.length + ENTRY;
    } catch (error) {
      for (const [text, { batch, lines }] of taken) {
        const later = this.#collected.get(text)?.lines ?? [];
        this.#collected.set(text, { batch, lines: lines.concat(later) });
      }
      throw error;
    }
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

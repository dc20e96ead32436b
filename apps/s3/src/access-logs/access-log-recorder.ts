/**
 * Takes lines of logs from requests, which do not wait for it, and stores them every second.
 *
 * Always holds: a process has at most MAX_BYTES of lines in memory. What comes while it is full is
 * lost, and so is what a process that is killed has not stored: a second's lines. One that is told
 * to stop stores what it has.
 */
import { createHash } from 'node:crypto';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { Bucket, Logging } from '../buckets/bucket.entity.js';
import { AccessLogBatchRepository, type NewLogBatch } from './access-log-batch.repository.js';
import { dayOf } from './access-log-batch.entity.js';
import { logLineOf, type LoggedRequest, type LogLine } from './log-line.js';

const MAX_BYTES = 8 * 1024 ** 2;
/** Lines are stored early from this size on. */
const MANY_BYTES = 1024 ** 2;

@Injectable()
export class AccessLogRecorder implements OnApplicationShutdown {
  readonly #buffer = new LogBuffer(MAX_BYTES);
  readonly #lost: ReturnType<Metrics['counter']>;
  #storing: Promise<void> | undefined;

  constructor(
    private readonly batches: AccessLogBatchRepository,
    private readonly dataSource: DataSource,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#lost = metrics.counter(
      's3_access_log_lines_lost_total',
      'Lines of access logs that came while too many waited to be stored.',
    );
  }

  record(bucket: Bucket, request: LoggedRequest): void {
    const { logging } = bucket.configurations;
    if (!logging) return;
    const line = logLineOf(request);
    if (!this.#buffer.add(bucket, logging, request.time, line)) this.#lost.inc();
    if (this.#buffer.bytes < MANY_BYTES || this.#storing) return;
    this.#store().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'lines of access logs are not stored yet'),
    );
  }

  @SweepEvery(1_000, 'access-log-lines', { local: true, everywhere: true })
  async run(): Promise<void> {
    await this.#storing?.catch(() => undefined);
    await this.#store();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.run().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'lines of access logs are lost'),
    );
  }

  #store(): Promise<void> {
    const ctx = RequestContext.system(newRequestId(), this.dataSource.manager);
    const storing = this.#buffer
      .drain((batches) => this.batches.insert(ctx, batches))
      .finally(() => (this.#storing = undefined));
    this.#storing = storing;
    return storing;
  }
}

/** Approximate overhead of a line, in bytes. */
const ENTRY = 64;

interface Collected {
  readonly batch: Omit<NewLogBatch, 'lines'>;
  lines: LogLine[];
}

/**
 * Lines of logs in memory, until they are stored.
 *
 * Always holds: it has at most so many bytes of lines, those among them that are just being stored.
 */
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

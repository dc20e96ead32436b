/**
 * Compares the bytes in the store with their rows' checksums, in rounds, and reports damage.
 *
 * Always holds: damage is only reported after two complete reads of wrong bytes for a row that still
 * refers to them. A store that is unreadable or lacks its mark proves nothing.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { withFreeSessionLock } from '@cumulet/common/database/advisory-lock';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { Pace } from '@cumulet/storage/stores/pace';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { DataMissingError, StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { S3Config } from '../config.js';
import type { Encryption } from '../content/encryption/encryption.js';
import { storedSizeOf } from '../content/encryption/content-keys.js';
import { STORE } from '../store/store.js';
import { ScrubRound } from './scrub-round.entity.js';
import { type ScrubbedData, ScrubRepository } from './scrub.repository.js';

const BATCH = 50;
const LOCK = 'cumulet:s3:scrub';

type ScrubConfig = Pick<S3Config, 'scrubSeconds' | 'scrubBytesPerSecond'>;

@Injectable()
export class ScrubSweep {
  readonly #damaged: ReturnType<Metrics['counter']>;
  readonly #scrubbedBytes: ReturnType<Metrics['counter']>;

  constructor(
    private readonly rows: ScrubRepository,
    @Inject(STORE) private readonly store: ByteStore,
    private readonly claims: StoreClaims,
    @Inject(CONFIG) private readonly config: ScrubConfig,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#damaged = metrics.counter(
      's3_damaged_data_total',
      'Times that the stored bytes of an object or a part did not match their checksum.',
    );
    this.#scrubbedBytes = metrics.counter(
      's3_scrubbed_bytes_total',
      'Bytes that were read to compare them with their checksum.',
    );
  }

  /** One process scrubs at a time; another resumes where it stopped. */
  @SweepEvery(30_000, 'integrity-scrub', { local: true })
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const { scrubBytesPerSecond } = this.config;
    if (scrubBytesPerSecond === 0) return;
    const pace = new Pace(scrubBytesPerSecond);
    let goesOn = true;
    while (goesOn && !stopping.aborted) {
      goesOn = false;
      await withFreeSessionLock(ctx.manager.dataSource, LOCK, async () => {
        goesOn = await this.#scrubSome(ctx, pace, stopping);
      });
    }
  }

  /** @returns whether there may be more to do */
  async #scrubSome(ctx: RequestContext, pace: Pace, stopping: AbortSignal): Promise<boolean> {
    const after = await this.rows.position(ctx, this.config.scrubSeconds);
    if (after === undefined) return false;
    const batch = await this.rows.next(ctx, after, BATCH);
    for (const data of batch) {
      if (stopping.aborted || !(await this.#look(ctx, data, pace, stopping))) return false;
      await this.rows.save(ctx, data.dataId);
    }
    if (batch.length > 0) return true;
    await this.rows.save(ctx, null);
    this.logger.info('all stored bytes of objects have been compared with their checksums');
    return false;
  }

  /** @returns false to retry: the store is unreachable, or the process stops */
  async #look(
    ctx: RequestContext,
    data: ScrubbedData,
    pace: Pace,
    stopping: AbortSignal,
  ): Promise<boolean> {
    try {
      await this.#compare(ctx, data, pace, stopping);
      return true;
    } catch (error) {
      if (stopping.aborted) return false;
      this.logger.warn({ err: error, ...namesOf(data) }, 'could not scrub stored bytes');
      return !(error instanceof StoreUnavailableError);
    }
  }

  async #compare(
    ctx: RequestContext,
    data: ScrubbedData,
    pace: Pace,
    stopping: AbortSignal,
  ): Promise<void> {
    const wanted = expectedOf(data);
    if (isSame(wanted, await this.#read(data, pace, stopping))) return;
    const found = await this.#read(data, pace, stopping);
    if (isSame(wanted, found)) {
      this.logger.warn(namesOf(data), 'stored bytes read wrong once, and right again');
      return;
    }
    await this.claims.requireClaimed(ctx);
    // Bytes of an object that has since been deleted are gone, not damaged.
    if (!(await this.rows.isKnown(ctx, data.dataId))) return;
    this.#damaged.inc();
    this.logger.error({ ...namesOf(data), wanted, found }, 'stored bytes are damaged');
  }

  async #read(
    data: ScrubbedData,
    pace: Pace,
    stopping: AbortSignal,
  ): Promise<Fingerprint | 'nothing'> {
    try {
      return await fingerprintOf(this.#paced(data.dataId, pace, stopping), data);
    } catch (error) {
      if (error instanceof DataMissingError) return 'nothing';
      throw error;
    }
  }

  async *#paced(id: DataId, pace: Pace, stopping: AbortSignal): AsyncIterable<Buffer> {
    for await (const chunk of pace.over(await this.store.open(id), stopping)) {
      this.#scrubbedBytes.inc(chunk.length);
      yield chunk;
    }
  }
}

function namesOf({ dataId, bucketId, key, versionId, part }: ScrubbedData): object {
  return { dataId, bucketId, key: key?.toString() ?? null, versionId, part };
}

function isSame(wanted: Fingerprint, found: Fingerprint | 'nothing'): boolean {
  return (
    found !== 'nothing' &&
    found.size === wanted.size &&
    found.checksum === (wanted.checksum ?? found.checksum)
  );
}

/** Identifies stored bytes. */
export interface Fingerprint {
  readonly size: number;
  /** MD5 in hexadecimal of what is stored as it came; CRC32 of what is encrypted, if known. */
  readonly checksum: string | undefined;
}

interface Described {
  readonly size: number;
  readonly etag: string;
  readonly encryption: Encryption | null;
}

/**
 * Whether bytes are those that a row says. Pure.
 *
 * What the store should have for a row. Encrypted bytes are compared without their key.
 */
function expectedOf({ size, etag, encryption }: Described): Fingerprint {
  if (!encryption) return { size, checksum: etag };
  return { size: storedSizeOf(size), checksum: encryption.storedCrc32?.toString() };
}

async function fingerprintOf(
  chunks: AsyncIterable<Buffer>,
  { encryption }: Pick<Described, 'encryption'>,
): Promise<Fingerprint> {
  const md5 = encryption ? undefined : createHash('md5');
  let size = 0;
  let crc = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (md5) md5.update(chunk);
    else crc = crc32(chunk, crc);
  }
  return { size, checksum: md5 ? md5.digest('hex') : String(crc) };
}

@Feature({ providers: [ScrubSweep, ScrubRepository], entities: [ScrubRound] })
export class ScrubModule {}

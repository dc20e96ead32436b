/**
 * Quotas of buckets, objects and bytes.
 *
 * Always holds: a project far from its limits writes without waiting for itself; near them its
 * writers come one after the other, and what they come to is counted in the transaction of each. It
 * may come over a limit by what is written at the same moment without being counted: in each process
 * at most a 64th of what was left (`Headrooms`).
 */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { checkQuota, type QuotaUsage } from '@cumulet/common/quotas/check-quota';
import { defineQuotas } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { S3Config } from '../config.js';
import { INLINE_BYTES } from '../content/received.js';
import { repeated } from '../objects/object.repository.js';

const USAGE = 'bucket_usage WHERE bucket_id IN (SELECT id FROM buckets WHERE project_id = $1)';

const STORAGE_QUOTAS = defineQuotas({
  s3_buckets: {
    about: 'Buckets.',
    default: ({ bucketQuota }: S3Config) => bucketQuota,
    counted: { as: 'count(*)', in: 'buckets WHERE project_id = $1' },
  },
  s3_objects: {
    about: 'Objects, each version of them; markers of deletions do not count.',
    default: ({ objectQuota }: S3Config) => objectQuota,
    counted: { as: 'sum(objects)', in: USAGE },
  },
  s3_bytes: {
    about: 'Bytes of objects, as their clients know them.',
    default: ({ bytesQuota }: S3Config) => bytesQuota,
    counted: { as: 'sum(bytes)', in: USAGE },
  },
});

export type StorageQuota = keyof typeof STORAGE_QUOTAS;

type StorageUsages = Readonly<Record<StorageQuota, QuotaUsage>>;

@Injectable()
export class StorageQuotas extends Quotas<StorageQuota> {
  readonly #headrooms = new Headrooms();

  constructor(@Inject(CONFIG) config: S3Config) {
    super(STORAGE_QUOTAS, config);
  }

  /** Call it first in the transaction that creates a bucket. @throws QuotaExhaustedError */
  admitBucket(tx: RequestContext, projectId: ProjectId): Promise<void> {
    return this.claim(tx, { s3_buckets: 1 }, projectId);
  }

  /**
   * Refuses an upload before its bytes are received. Data that it overwrites still counts, and it may
   * be shorter than announced.
   * @throws QuotaExceededError, QuotaExhaustedError
   */
  async admitBytes(ctx: RequestContext, projectId: ProjectId, bytes: number): Promise<void> {
    if (bytes <= INLINE_BYTES || this.#headrooms.has(projectId, { objects: 0, bytes })) return;
    const usage = await this.#measure(ctx, projectId);
    checkQuota('s3_bytes', bytes, usage.s3_bytes);
  }

  /**
   * Runs a write if the project's quota allows its increase.
   * @param write in the given context; in a transaction it may be tried again
   */
  async within<T>(
    ctx: RequestContext,
    projectId: ProjectId,
    added: Added,
    write: (ctx: RequestContext) => Promise<T>,
  ): Promise<T> {
    if (this.#headrooms.take(projectId, added)) return write(ctx);
    await this.#measure(ctx, projectId);
    if (this.#headrooms.take(projectId, added)) return write(ctx);
    return repeated(ctx, () => inTransaction(ctx, (tx) => this.#counted(tx, projectId, write)));
  }

  async #counted<T>(
    tx: RequestContext,
    projectId: ProjectId,
    write: (tx: RequestContext) => Promise<T>,
  ): Promise<T> {
    await transactionLock(tx.manager, `storage ${projectId}`);
    const before = await this.usage(tx, projectId);
    const written = await write(tx);
    const after = await this.usage(tx, projectId);
    for (const name of ['s3_objects', 's3_bytes'] as const)
      checkQuota(name, after[name].used - before[name].used, before[name]);
    this.#remember(projectId, after);
    return written;
  }

  async #measure(ctx: RequestContext, projectId: ProjectId): Promise<StorageUsages> {
    const usage = await this.usage(ctx, projectId);
    this.#remember(projectId, usage);
    return usage;
  }

  #remember(projectId: ProjectId, { s3_objects, s3_bytes }: StorageUsages): void {
    const left = { objects: leftOf(s3_objects), bytes: leftOf(s3_bytes) };
    this.#headrooms.measured(projectId, left);
  }
}

function leftOf({ limit, used }: QuotaUsage): number {
  return limit < 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit - used);
}

export interface Added {
  readonly objects: number;
  readonly bytes: number;
}

/** For how long a count holds; a changed limit is noticed after this time. */
const FRESH_MS = 1_000;
/** The share of the rest that each process hands out between two counts. */
const SHARE = 1 / 64;
const MAX_PROJECTS = 10_000;

/**
 * A small share of each project's free quota, handed out without counting again, for a
 * moment. So several processes together do not bring a project over its limits.
 */
export class Headrooms {
  readonly #byProject = new LRUCache<ProjectId, { objects: number; bytes: number }>({
    max: MAX_PROJECTS,
    ttl: FRESH_MS,
  });

  /** @param left the rest of the project's quota; infinite without a limit */
  measured(projectId: ProjectId, left: Added): void {
    const share = { objects: left.objects * SHARE, bytes: left.bytes * SHARE };
    this.#byProject.set(projectId, share);
  }

  has(projectId: ProjectId, { objects, bytes }: Added): boolean {
    const room = this.#byProject.get(projectId);
    return room !== undefined && objects <= room.objects && bytes <= room.bytes;
  }

  /** @returns false, without effect, if the usage has to be counted first */
  take(projectId: ProjectId, added: Added): boolean {
    const room = this.#byProject.get(projectId);
    if (!room || !this.has(projectId, added)) return false;
    room.objects -= added.objects;
    room.bytes -= added.bytes;
    return true;
  }
}

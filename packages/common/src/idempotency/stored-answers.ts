/**
 * Stored answers of requests with an Idempotency-Key.
 *
 * Always holds: an answer is written in the transaction that creates the resource, so there is
 * never one without the other.
 */
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type EntityManager, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import { Seal } from '../crypto/seal.js';
import { tryTransactionLock } from '../database/advisory-lock.js';
import { preparedRows } from '../database/rows.js';
import { type JsonCodec, JSON_CODEC } from '../service/tokens.js';
import { SweepEvery } from '../service/background.js';
import {
  IdempotencyKeyReusedError,
  RequestUnderWayError,
  type KeyedRequest,
} from './idempotency-key.js';
import { Feature } from '../service/feature.js';

/** A request that was answered, under its Idempotency-Key. Every service has this table. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at_idx', ['createdAt'])
export class IdempotencyKey {
  /** A hash: neither the key nor the body of a request is stored. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  id: string;

  @Column('text')
  fingerprint: string;

  /** A `StoredAnswer` as JSON, encrypted if the service has a key for that. */
  @Column('text')
  answer: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** How long a key keeps its answer. */
const KEPT_HOURS = 24;

export interface StoredAnswer {
  readonly status: number;
  /** The headers set by the handler. */
  readonly headers: Readonly<Record<string, string | number | string[]>>;
  /** The JSON body; absent if there is none. */
  readonly body?: unknown;
}

@Injectable()
export class StoredAnswers {
  /** @param seal for services whose answers contain secrets */
  constructor(
    @Optional() private readonly seal?: Seal,
    @Optional() @Inject(JSON_CODEC) private readonly json: JsonCodec = JSON,
  ) {}

  /** @throws IdempotencyKeyReusedError if another request has used its key */
  async find(
    manager: EntityManager,
    { id, fingerprint }: KeyedRequest,
  ): Promise<StoredAnswer | undefined> {
    const [row] = await preparedRows<{ fingerprint: string; answer: string }>(
      manager,
      `SELECT fingerprint, answer FROM idempotency_keys
        WHERE id = $1 AND created_at > now() - interval '${KEPT_HOURS} hours'`,
      [id],
    );
    if (!row) return undefined;
    // Also the unkeyed fingerprint of earlier versions.
    const isSame =
      row.fingerprint === fingerprint || this.seal?.isDigest(fingerprint, row.fingerprint);
    if (!isSame) throw new IdempotencyKeyReusedError();
    const answer = this.seal ? this.seal.open(row.answer) : row.answer;
    return this.json.parse(answer) as StoredAnswer;
  }

  /**
   * Locks the key until the transaction ends, even by a crash.
   * @throws RequestUnderWayError while another request has it
   */
  async claim(manager: EntityManager, { id }: KeyedRequest): Promise<void> {
    if (!(await tryTransactionLock(manager, `idempotency:${id}`))) throw new RequestUnderWayError();
  }

  /** Replaces an expired answer. */
  async keep(
    manager: EntityManager,
    { id, fingerprint }: KeyedRequest,
    answer: StoredAnswer,
  ): Promise<void> {
    const text = this.json.stringify(answer);
    await preparedRows(
      manager,
      `INSERT INTO idempotency_keys (id, fingerprint, answer) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE
         SET (fingerprint, answer, created_at) = (excluded.fingerprint, excluded.answer, now())`,
      [id, this.#kept(fingerprint), this.seal ? this.seal.seal(text) : text],
    );
  }

  /** A request may hold a short secret, which its bare hash would let anyone guess. */
  #kept(fingerprint: string): string {
    return this.seal?.digest(fingerprint) ?? fingerprint;
  }

  @SweepEvery(60_000, 'idempotency-keys')
  async forget({ manager }: RequestContext): Promise<void> {
    await manager.query(
      `DELETE FROM idempotency_keys WHERE created_at < now() - interval '${KEPT_HOURS} hours'`,
    );
  }
}

/** A feature of every service. */
@Feature({ providers: [StoredAnswers], entities: [IdempotencyKey] })
export class IdempotencyModule {}

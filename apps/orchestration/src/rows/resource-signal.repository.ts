/**
 * Stored signals. Always holds: the cost of storing one does not grow with their number, and only this
 * repository reads their content.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { preparedRows } from '@cumulet/common/database/rows';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';
import { RequestLimitExceededError, ResourceNotAvailableError } from './stack.errors.js';
import { stringifyExact } from '../json/exact-json.js';
import type { JsonObject } from '../json/json.js';
import type { StoredSignal, SignalTally } from './resource-signal.entity.js';

export type SignalBounds = Pick<
  OrchestrationConfig,
  'maxSignals' | 'maxSignalBytes' | 'maxStackSignalBytes'
>;

export interface SignalKeeper {
  readonly id: string;
  readonly name: string;
  readonly rootId: string;
}

export type SignalCounts = Pick<SignalTally, 'signals' | 'failures'>;

export type ReadSignal = readonly [id: string, content: JsonObject];

/** Characters of an ID, which is an indexed key. */
const MAX_ID = 255;

interface Held {
  readonly signals: number;
  readonly bytes: number;
  readonly stackBytes: number;
}

@Injectable()
export class ResourceSignalRepository {
  constructor(
    @Inject(CONFIG) private readonly bounds: SignalBounds,
    private readonly sealed: SealedJson,
  ) {}

  /**
   * Must be called in a transaction that has not locked any rows yet.
   * @param signalOf the signal, by the number of those stored
   * @throws RequestLimitExceededError for too many or too large signals, naming the limit
   * @throws ResourceNotAvailableError once the resource is gone
   */
  async store(
    tx: RequestContext,
    keeper: SignalKeeper,
    signalOf: (before: number) => StoredSignal,
  ): Promise<StoredSignal> {
    // Serializes the signals of a root stack, which share a limit.
    await transactionLock(tx.manager, `signals:${keeper.rootId}`);
    const held = await this.#held(tx, keeper);
    const signal = signalOf(held.signals);
    if (signal.id.length > MAX_ID)
      throw new InvalidInputError(`The id of a signal may have ${MAX_ID} characters.`);
    const bytes = Buffer.byteLength(signal.id) + Buffer.byteLength(stringifyExact(signal.content));
    const former = await this.#former(tx, keeper.id, signal.id);
    this.#check(keeper, held, bytes, former);
    await this.#write(tx, keeper, signal, bytes, former);
    return signal;
  }

  async counts({ manager }: RequestContext, resourceId: string): Promise<SignalCounts> {
    const [row] = await preparedRows<SignalCounts>(
      manager,
      'SELECT signals, failures FROM signal_tallies WHERE resource_id = $1',
      [resourceId],
    );
    return row ?? { signals: 0, failures: 0 };
  }

  /** The oldest first. */
  async read(ctx: RequestContext, resourceId: string): Promise<readonly ReadSignal[]> {
    return (await this.readAll(ctx, [resourceId])).get(resourceId) ?? [];
  }

  async readAll(
    { manager }: RequestContext,
    resourceIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ReadSignal[]>> {
    const rows = await preparedRows<{ resourceId: string; id: string; content: string }>(
      manager,
      `SELECT resource_id AS "resourceId", id, content FROM resource_signals
        WHERE resource_id = ANY($1) ORDER BY position`,
      [resourceIds],
    );
    const all = new Map<string, ReadSignal[]>();
    for (const { resourceId, id, content } of rows) {
      const signals = all.get(resourceId) ?? [];
      signals.push([id, this.sealed.open<JsonObject>(content)]);
      all.set(resourceId, signals);
    }
    return all;
  }

  async forget({ manager }: RequestContext, resourceId: string): Promise<void> {
    await preparedRows(
      manager,
      `WITH gone AS (DELETE FROM resource_signals WHERE resource_id = $1)
       DELETE FROM signal_tallies WHERE resource_id = $1`,
      [resourceId],
    );
  }

  async #held({ manager }: RequestContext, { id, rootId }: SignalKeeper): Promise<Held> {
    const [row] = await preparedRows<Held>(
      manager,
      `SELECT coalesce(sum(signals) FILTER (WHERE resource_id = $1), 0)::int AS signals,
              coalesce(sum(bytes) FILTER (WHERE resource_id = $1), 0)::int AS bytes,
              coalesce(sum(bytes), 0)::float8 AS "stackBytes"
         FROM signal_tallies WHERE root_id = $2`,
      [id, rootId],
    );
    return row ?? { signals: 0, bytes: 0, stackBytes: 0 };
  }

  async #former(
    { manager }: RequestContext,
    resourceId: string,
    id: string,
  ): Promise<{ readonly bytes: number; readonly isFailure: boolean } | undefined> {
    const [row] = await preparedRows<{ bytes: number; isFailure: boolean }>(
      manager,
      `SELECT bytes, is_failure AS "isFailure" FROM resource_signals
        WHERE resource_id = $1 AND id = $2`,
      [resourceId, id],
    );
    return row;
  }

  /** A signal that is not larger than the one it replaces is always accepted. */
  #check(
    { name }: SignalKeeper,
    held: Held,
    bytes: number,
    former: { readonly bytes: number } | undefined,
  ): void {
    const { maxSignals, maxSignalBytes, maxStackSignalBytes } = this.bounds;
    if (!former && held.signals >= maxSignals)
      throw new RequestLimitExceededError(`Resource ${name} keeps at most ${maxSignals} signals.`);
    const more = bytes - (former?.bytes ?? 0);
    if (more <= 0) return;
    const ofHandle = held.bytes + more;
    if (ofHandle > maxSignalBytes)
      throw new RequestLimitExceededError(
        `Signals of resource ${name} exceed maximum allowed size (${ofHandle} of ${maxSignalBytes} bytes).`,
      );
    const ofStack = held.stackBytes + more;
    if (ofStack > maxStackSignalBytes)
      throw new RequestLimitExceededError(
        `Signals of the stack exceed maximum allowed size (${ofStack} of ${maxStackSignalBytes} bytes).`,
      );
  }

  async #write(
    { manager }: RequestContext,
    { id: resourceId, name, rootId }: SignalKeeper,
    { id, isFailure, content }: StoredSignal,
    bytes: number,
    former: { readonly bytes: number; readonly isFailure: boolean } | undefined,
  ): Promise<void> {
    const written = await preparedRows(
      manager,
      `WITH keeper AS (
         SELECT id FROM stack_resources WHERE id = $1 FOR KEY SHARE
       ), kept AS (
         INSERT INTO resource_signals AS one (resource_id, id, is_failure, bytes, content)
         SELECT id, $3, $4, $5, $6 FROM keeper
         ON CONFLICT (resource_id, id) DO UPDATE
            SET is_failure = excluded.is_failure, bytes = excluded.bytes,
                content = excluded.content)
       INSERT INTO signal_tallies AS tally (resource_id, root_id, signals, failures, bytes)
       SELECT id, $2, $7, $8, $9 FROM keeper
       ON CONFLICT (resource_id) DO UPDATE
          SET signals = tally.signals + excluded.signals,
              failures = tally.failures + excluded.failures,
              bytes = tally.bytes + excluded.bytes
       RETURNING 1`,
      [
        resourceId,
        rootId,
        id,
        isFailure,
        bytes,
        this.sealed.seal(content),
        former ? 0 : 1,
        Number(isFailure) - Number(former?.isFailure ?? false),
        bytes - (former?.bytes ?? 0),
      ],
    );
    if (written.length === 0) throw new ResourceNotAvailableError(name);
  }
}

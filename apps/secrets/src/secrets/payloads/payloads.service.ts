/**
 * Always holds: payloads are stored encrypted, each bound to its secret's ID, and only `open` decrypts
 * one, for one answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SettingError } from '@cumulet/common/config/settings';
import { SealingKeys } from '@cumulet/common/crypto/sealing-keys';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { BeforeStart, SweepEvery } from '@cumulet/common/service/background';
import { secrets, type SecretId } from '../secret.resource.js';
import type { Payload } from './payload.js';
import { secretPayloads, type SecretPayload } from './payload.entity.js';

/** Payloads that one transaction re-encrypts. */
const BATCH = 100;
const FIRST = asId<SecretId>('00000000-0000-0000-0000-000000000000');

@Injectable()
export class PayloadsService {
  constructor(@Inject(SealingKeys) private readonly keys: SealingKeys) {}

  /** @throws PayloadExistsError, SecretNotFoundError */
  async store(tx: RequestContext, secretId: SecretId, payload: Payload): Promise<void> {
    const { keyId, sealed } = this.keys.seal(payload.bytes, rowOf(secretId));
    await secretPayloads.insert(tx, { secretId, keyId, sealed });
    await secrets.update(tx, secretId, { contentType: payload.contentType });
  }

  /** @throws NoPayloadError */
  async open(ctx: RequestContext, secretId: SecretId): Promise<Buffer> {
    return this.keys.open(await secretPayloads.get(ctx, { secretId }), rowOf(secretId));
  }

  /**
   * A payload whose key is missing would be lost at the next change of keys.
   * @throws SettingError
   */
  @BeforeStart()
  async requireKeys({ manager }: RequestContext): Promise<void> {
    const [missing] = await preparedRows<{ keyId: string }>(
      manager,
      'SELECT key_id AS "keyId" FROM secret_payloads WHERE key_id <> ALL ($1) LIMIT 1',
      [this.keys.ids],
    );
    if (!missing) return;
    throw new SettingError(
      `SECRETS_SECRET_KEY or SECRETS_OLD_SECRET_KEYS must have the key ${missing.keyId}, under which payloads are encrypted`,
    );
  }

  /**
   * Re-encrypts payloads of old keys under the current one.
   * @throws Error for damaged payloads, after all others are done
   */
  @SweepEvery(60_000, 'sealed-payloads')
  async renew(ctx: RequestContext, stopping?: AbortSignal): Promise<void> {
    const [, ...old] = this.keys.ids;
    if (old.length === 0) return;
    const damaged: SecretId[] = [];
    for (let last: SecretId | undefined = FIRST; last && !stopping?.aborted;)
      last = await this.#renewSome(ctx, old, last, damaged);
    if (damaged.length > 0)
      throw new Error(`the payloads of these secrets cannot be decrypted: ${damaged.join(', ')}`);
  }

  /** @returns the last secret of the batch; undefined after the last batch */
  #renewSome(
    ctx: RequestContext,
    old: readonly string[],
    after: SecretId,
    damaged: SecretId[],
  ): Promise<SecretId | undefined> {
    return inTransaction(ctx, async (tx) => {
      const rows = await preparedRows<SecretPayload>(
        tx.manager,
        `SELECT secret_id AS "secretId", key_id AS "keyId", sealed FROM secret_payloads
          WHERE key_id = ANY ($1) AND secret_id > $2
          ORDER BY secret_id LIMIT ${BATCH} FOR UPDATE`,
        [old, after],
      );
      for (const row of rows) {
        const plain = this.#opened(row);
        if (plain === undefined) damaged.push(row.secretId);
        else {
          const renewed = this.keys.seal(plain, rowOf(row.secretId));
          await secretPayloads.update(tx, { secretId: row.secretId }, renewed);
        }
      }
      return rows.length < BATCH ? undefined : rows.at(-1)?.secretId;
    });
  }

  #opened(row: SecretPayload): Buffer | undefined {
    try {
      return this.keys.open(row, rowOf(row.secretId));
    } catch {
      return undefined;
    }
  }
}

/** Binds a payload to its secret: in the row of another it cannot be decrypted. */
function rowOf(secretId: SecretId): string {
  return `secret ${secretId}`;
}

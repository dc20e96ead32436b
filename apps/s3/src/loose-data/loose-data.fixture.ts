/** A database of the service and a store in memory that it has claimed, for sweeps to work on. */
import { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { newDataId, type ByteStore, type DataId } from '@cumulet/storage/stores/byte-store';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { StoreClaimRepository } from '@cumulet/storage/stores/store-claim.repository';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import type { DataSource } from 'typeorm';
import { S3Database } from '../database/s3-database.fixture.js';
import { HELD } from '../config.js';
import { StoredDataRepository } from '../store/store.js';
import { LooseDataRepository } from './loose-data.repository.js';

export class LooseDataWorld {
  readonly looseData = new LooseDataRepository();
  readonly rows = new StoredDataRepository();

  private constructor(
    readonly ctx: RequestContext,
    readonly dataSource: DataSource,
    readonly store: MemoryStore,
    readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<LooseDataWorld> {
    const database = await S3Database.create();
    const { ctx, dataSource } = database;
    const world = new LooseDataWorld(ctx, dataSource, new MemoryStore(HELD), () =>
      database.destroy(),
    );
    await world.claimsOf(world.store).claim(ctx);
    return world;
  }

  claimsOf(store: ByteStore): StoreClaims {
    const logger = createLogger('test', 'silent');
    return new StoreClaims(store, this.rows, new StoreClaimRepository(), logger);
  }

  async clear(): Promise<void> {
    await this.dataSource.query('DELETE FROM parts');
    await this.dataSource.query('DELETE FROM loose_data');
    for (const id of await this.stored()) await this.store.remove(id);
  }

  /** Bytes that no row knows. */
  async put(bytes = 'bytes'): Promise<DataId> {
    const id = newDataId();
    await this.store.put(id, Readable.from([Buffer.from(bytes)], { objectMode: false }));
    return id;
  }

  /** Bytes that are loose. @param seconds until they may go */
  async putLoose(seconds: number): Promise<DataId> {
    const id = await this.put();
    await this.looseData.insert(this.ctx, id, seconds);
    return id;
  }

  /** Gives bytes to a part. @returns what removes it */
  async keep(ctx: RequestContext, dataId: DataId): Promise<() => Promise<void>> {
    const contentId = randomUUID();
    await ctx.manager.query(
      `INSERT INTO parts (content_id, number, size, etag, data_id) VALUES ($1, 1, 5, '', $2)`,
      [contentId, dataId],
    );
    return async () => {
      await ctx.manager.query('DELETE FROM parts WHERE content_id = $1', [contentId]);
    };
  }

  /** For loose data, as an interval of Postgres. */
  async passTime(interval: string): Promise<void> {
    await this.dataSource.query('UPDATE loose_data SET until = until - $1::interval', [interval]);
  }

  async stored(): Promise<DataId[]> {
    const ids: DataId[] = [];
    for await (const id of this.store.list()) ids.push(id);
    return ids;
  }

  async loose(): Promise<DataId[]> {
    const rows: { id: DataId }[] = await this.dataSource.query(
      'SELECT data_id AS id FROM loose_data ORDER BY data_id',
    );
    return rows.map(({ id }) => id);
  }
}

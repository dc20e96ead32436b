/**
 * The worker processes of a service, by their heartbeats. A silent one is listed as down, and
 * deleted after an hour; one that stops is deleted at once.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import { preparedRows } from '../database/rows.js';
import { BeforeWork, SweepEvery } from '../service/background.js';

@Entity('engines')
@Index('engines_seen_at_idx', ['seenAt'])
export class Engine {
  /** Random, chosen at the start. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'engines_pkey' })
  id: string;

  @Column('text')
  host: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** The last heartbeat, by the database's clock. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt: Date;
}

export const REPORT_SECONDS = 60;

export type KnownEngine = Engine & { readonly isUp: boolean };

const FORGET = `DELETE FROM engines WHERE seen_at < clock_timestamp() - interval '1 hour'`;

const REPORT = `
  INSERT INTO engines (id, host, seen_at) VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`;

const LEAVE = 'DELETE FROM engines WHERE id = $1';

const LIST = `
  SELECT id, host, created_at AS "createdAt", seen_at AS "seenAt",
         seen_at > clock_timestamp() - interval '${2 * REPORT_SECONDS} seconds' AS "isUp"
    FROM engines ORDER BY created_at, id`;

@Injectable()
export class Engines implements OnApplicationShutdown {
  readonly #id = randomUUID();

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  @BeforeWork()
  @SweepEvery(REPORT_SECONDS * 1_000, 'engines', { local: true })
  async report({ manager }: RequestContext): Promise<void> {
    await preparedRows(manager, REPORT, [this.#id, hostname()]);
    await preparedRows(manager, FORGET);
  }

  async onApplicationShutdown(): Promise<void> {
    // Without Postgres, the row expires by itself.
    await preparedRows(this.dataSource.manager, LEAVE, [this.#id]).catch(() => undefined);
  }

  list({ manager }: RequestContext): Promise<KnownEngine[]> {
    return preparedRows<KnownEngine>(manager, LIST);
  }
}

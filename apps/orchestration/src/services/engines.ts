/**
 * The processes that work on stacks, as each reports itself. One that has been silent for long is
 * shown as down, and forgotten after an hour.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { BeforeWork, SweepEvery } from '@cumulet/common/service/background';
import type { Engine } from './engine.entity.js';

export const REPORT_SECONDS = 60;

export type KnownEngine = Engine & { readonly isUp: boolean };

const FORGET = `DELETE FROM engines WHERE seen_at < clock_timestamp() - interval '1 hour'`;

const REPORT = `
  INSERT INTO engines (id, host, seen_at) VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`;

const LIST = `
  SELECT id, host, created_at AS "createdAt", seen_at AS "seenAt",
         seen_at > clock_timestamp() - interval '${2 * REPORT_SECONDS} seconds' AS "isUp"
    FROM engines ORDER BY created_at, id`;

@Injectable()
export class Engines {
  readonly #id = randomUUID();

  @BeforeWork()
  @SweepEvery(REPORT_SECONDS * 1_000, 'engines', { local: true })
  async report({ manager }: RequestContext): Promise<void> {
    await preparedRows(manager, REPORT, [this.#id, hostname()]);
    await preparedRows(manager, FORGET);
  }

  list({ manager }: RequestContext): Promise<KnownEngine[]> {
    return preparedRows<KnownEngine>(manager, LIST);
  }
}

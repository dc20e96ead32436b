import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProjectId } from '@cumulet/common/context/ids';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { initialState } from '@cumulet/common/states/transition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { networkStates } from '../networks/network.states.js';
import { networks } from '../networks/networks.service.js';
import { networkService } from '../service.js';
import { lockSubnets } from '../ports/port-addresses.js';
import { subnets } from './subnet.repository.js';
import { fill, releaseAddress, refill, allocateNext, allocateAddress } from './free-addresses.js';

const CLIENTS = 50;

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let networkId: string;
let subnetId: string;

beforeAll(async () => {
  database = await createTestDatabase(networkService);
  dataSource = await networkService.dataSource(database.url, 20).initialize();
  ctx = RequestContext.system('req-addresses', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

beforeEach(async () => {
  [networkId, subnetId] = [randomUUID(), randomUUID()];
  const projectId: ProjectId = asId('project');
  const network = { id: networkId, projectId, mtu: 1442, networkType: 'local' as const };
  await networks.insert(ctx, { ...network, ...initialState(networkStates) });
  const subnet = { id: subnetId, projectId, networkId, ipVersion: 4 as const };
  await subnets.insert(ctx, { ...subnet, cidr: '10.0.0.0/16', allocationPools: [] });
});
afterEach(async () => {
  await dataSource.query('TRUNCATE networks CASCADE');
});

const begin = (start: string, end: string) => fill(ctx, subnetId, [{ start, end }]);

const ranges = async (): Promise<string[]> => {
  const rows: { range: string }[] = await dataSource.query(
    `SELECT host(first) || '-' || host(last) AS range FROM address_ranges ORDER BY last`,
  );
  return rows.map(({ range }) => range);
};

const take = () => inTransaction(ctx, (tx) => allocateNext(tx, subnetId));

describe('free addresses', () => {
  it('are taken from the front, until none is left', async () => {
    await begin('10.0.0.2', '10.0.0.4');
    const taken = [await take(), await take(), await take(), await take()];
    expect(taken).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4', undefined]);
    expect(await ranges()).toEqual([]);
  });

  it.each([
    ['10.0.0.2', ['10.0.0.3-10.0.0.6']],
    ['10.0.0.4', ['10.0.0.2-10.0.0.3', '10.0.0.5-10.0.0.6']],
    ['10.0.0.6', ['10.0.0.2-10.0.0.5']],
    ['10.0.0.9', ['10.0.0.2-10.0.0.6']],
    ['10.0.0.1', ['10.0.0.2-10.0.0.6']],
  ])('are split around a requested address: %s', async (address, left) => {
    await begin('10.0.0.2', '10.0.0.6');
    await allocateAddress(ctx, subnetId, address);
    expect(await ranges()).toEqual(left);
  });

  it('are merged with adjacent ones, in any order', async () => {
    await begin('10.0.0.2', '10.0.0.6');
    for (let at = 0; at < 5; at += 1) await take();
    for (const last of [3, 5, 4, 6, 2]) await releaseAddress(ctx, subnetId, `10.0.0.${last}`);
    expect(await ranges()).toEqual(['10.0.0.2-10.0.0.6']);
  });

  it('are restored if the transaction is rolled back', async () => {
    await begin('10.0.0.2', '10.0.0.3');
    const undone = inTransaction(ctx, async (tx) => {
      await allocateNext(tx, subnetId);
      throw new Error('refused');
    });
    await expect(undone).rejects.toThrow('refused');
    expect(await take()).toBe('10.0.0.2');
  });

  it('are recomputed after a change of the pools', async () => {
    const portId = randomUUID();
    await dataSource.query(
      `INSERT INTO ports (id, project_id, state, network_id, mac_address, port_security_enabled)
       VALUES ($1, 'project', 'down', $2, 'fa:16:3e:00:00:01', true)`,
      [portId, networkId],
    );
    for (const last of [2, 5, 6, 9]) {
      await dataSource.query('INSERT INTO ip_allocations VALUES ($1, $2::inet, $3, $4, 0)', [
        networkId,
        `10.0.0.${last}`,
        subnetId,
        portId,
      ]);
    }
    await begin('10.0.0.100', '10.0.0.200');
    await refill(ctx, subnetId, [
      { start: '10.0.0.2', end: '10.0.0.9' },
      { start: '10.0.0.20', end: '10.0.0.29' },
    ]);
    expect(await ranges()).toEqual([
      '10.0.0.3-10.0.0.4',
      '10.0.0.7-10.0.0.8',
      '10.0.0.20-10.0.0.29',
    ]);
  });
});

describe('a /19 that 50 clients fill', () => {
  const POOL = 8_189;
  const LATE = 7_500;
  const AT_ONCE = 64;
  /** Those that the transactions just before have left, but none of the thousands before. */
  const MAX_PAGES = 8 * AT_ONCE;

  /** The pages of tables and indexes that finding the next address reads. */
  const pagesTouched = async (): Promise<number> => {
    const rows: { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }[] =
      await dataSource.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
         SELECT first FROM address_ranges WHERE subnet_id = $1 ORDER BY last LIMIT 1 FOR UPDATE`,
        [subnetId],
      );
    return rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Infinity;
  };

  it('hands out each address once, and the last as fast as the first', async () => {
    await begin('10.0.0.2', '10.0.31.254');
    const taken: string[] = [];
    let late: number | undefined;
    const client = async (): Promise<void> => {
      for (;;) {
        const some = await inTransaction(ctx, async (tx) => {
          await lockSubnets(tx, networkId);
          const found: string[] = [];
          while (found.length < AT_ONCE) {
            const address = await allocateNext(tx, subnetId);
            if (address === undefined) break;
            found.push(address);
          }
          return found;
        });
        taken.push(...some);
        if (some.length < AT_ONCE) return;
        if (late === undefined && taken.length > LATE) late = await pagesTouched();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    expect([taken.length, new Set(taken).size]).toEqual([POOL, POOL]);
    expect(await ranges()).toEqual([]);
    expect(late).toBeLessThan(MAX_PAGES);
  });
});

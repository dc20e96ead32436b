/** Concurrent writes to rows of several nodes. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { inTransaction } from '@cumulet/common/database/transaction';
import { eventually } from '@cumulet/testing/settle';
import type { Cluster } from '../clusters/cluster.entity.js';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { Node } from './node.entity.js';
import { nodes } from './node.repository.js';
import { nodeRows } from './node-rows.js';

let fixture: ClustersFixture;
let id: Cluster['id'];
/** Sorted by ID. */
let all: Node[];

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  id = asId(await fixture.made({ node_count: 2 }));
  all = (await fixture.nodesOf(id)).sort((one, other) => (one.id < other.id ? -1 : 1));
});

async function versions(): Promise<Record<string, string>> {
  const rows: { name: string; version: string }[] = await fixture.ctx.manager.query(
    'SELECT name, xmin::text AS version FROM nodes WHERE cluster_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}

it('leaves unchanged addresses alone', async () => {
  const before = await versions();
  const told = all.map(({ name, serverId, publicAddress }, index): [string, object] => [
    name,
    { serverId, publicAddress, address: index === 0 ? '10.0.0.99' : null },
  ]);
  await nodeRows.setAddresses(fixture.ctx, id, new Map(told) as never);
  const after = await versions();
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(changed).toEqual([all[0]?.name]);
  expect((await fixture.nodesOf(id)).map(({ address }) => address)).toContain('10.0.0.99');
});

it('leaves nodes that are already going unchanged', async () => {
  const [parting, leaving] = all.filter(({ role }) => role === 'worker');
  const until = new Date('2026-01-02T03:04:05Z');
  await fixture.ctx.manager.query(
    `UPDATE nodes SET is_drained = false, drain_until = $3,
            fate = CASE WHEN id = $1 THEN 'parting' ELSE 'leaving' END
      WHERE id IN ($1, $2)`,
    [parting?.id, leaving?.id, until],
  );
  const ids = all.filter(({ role }) => role === 'worker').map((node) => node.id);
  await nodeRows.go(fixture.ctx, id, ids, { drainSeconds: 60 });
  const after = (await fixture.nodesOf(id)).filter(({ role }) => role === 'worker');
  expect(after.map((node) => [node.id, node.fate, node.drainUntil?.getTime()]).sort()).toEqual(
    [
      [parting?.id, 'parting', until.getTime()],
      [leaving?.id, 'leaving', until.getTime()],
    ].sort(),
  );
});

it('locks the first node before any other', async () => {
  const [first, ...others] = all.map((node) => node.id);
  const touch = `UPDATE nodes SET message = message WHERE id = $1`;
  // The physical order differs from the order of IDs.
  await fixture.ctx.manager.query(touch, [first]);
  let retired: Promise<void> | undefined;
  await inTransaction(fixture.ctx, async (tx) => {
    await tx.manager.query(touch, [first]);
    retired = nodes.retire(
      fixture.ctx,
      all.map((node) => node.id),
    );
    await eventually('it waits', async () => {
      const waiting: unknown[] = await fixture.ctx.manager.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await tx.manager.query(`SET LOCAL lock_timeout = '1s'`);
    for (const one of others) await tx.manager.query(touch, [one]);
  });
  await retired;
  const fates = (await fixture.nodesOf(id)).map(({ fate }) => fate);
  expect(new Set(fates)).toEqual(new Set(['retiring']));
});

/** The working half of a service with resources of three phases each, and a Postgres of its own. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { RequestContext } from '@cumulet/common/context/request-context';
import { migrate } from '@cumulet/common/app/migrate';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newRequestId } from '@cumulet/common/context/request-id';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import { Liveness } from '@cumulet/common/jobs/liveness';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { ServiceWork } from '@cumulet/common/app/service-work';
import { startThrowawayCluster } from '@cumulet/embedded-postgres/throwaway-cluster';
import type { DataSource } from 'typeorm';
import { CpuClock } from './cpu-clock.js';
import { median } from './measure.js';
import { createPartDataSource, PartReconciler } from './part.js';
import { reportOf, type GraphCost, type JobsFacts } from './protocol.js';

interface Graph {
  readonly name: string;
  readonly parts: number;
  /** How many follow one another; 1 if none does. */
  readonly depth: number;
}

interface World {
  readonly dataSource: DataSource;
  readonly ctx: RequestContext;
  readonly reconciler: PartReconciler;
  readonly clock: CpuClock;
}

const ROUNDS = 3;
const LOOK_MS = 20;

const WARM_UP: Graph = { name: 'warm-up', parts: 1_000, depth: 1 };
const GRAPHS: readonly Graph[] = [
  { name: '1,000 resources', parts: 1_000, depth: 1 },
  { name: '10,000 resources', parts: 10_000, depth: 1 },
  { name: '1,000, chains of 10', parts: 1_000, depth: 10 },
];

await reportOf(async (): Promise<JobsFacts> => {
  const postgres = await startThrowawayCluster(() => undefined);
  await postgres.ensureDatabases(['parts']);
  const dataSource = await createPartDataSource(postgres.url('parts')).initialize();
  await migrate(dataSource);
  const ctx = RequestContext.system(newRequestId(), dataSource.manager);
  const reconciler = new PartReconciler();
  const liveness = new Liveness(postgres.url('parts'), () => undefined);
  const work = new ServiceWork({
    providers: [reconciler],
    config: {},
    dataSource,
    logger: createLogger('parts', 'silent'),
    metrics: new Metrics('parts'),
    liveness,
  });
  await work.start();
  const world: World = { dataSource, ctx, reconciler, clock: await CpuClock.of(dataSource) };
  await settle(world, WARM_UP);
  const rounds: GraphCost[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const costs: GraphCost[] = [];
    for (const graph of GRAPHS) costs.push(await settle(world, graph));
    rounds.push(costs);
  }
  const of = (at: number, pick: (cost: GraphCost) => number): number =>
    median(rounds.flatMap((costs) => costs.slice(at, at + 1).map(pick)));
  const costs = GRAPHS.map(({ name }, at) => ({
    name,
    ms: of(at, ({ ms }) => ms),
    cpuMs: of(at, ({ cpuMs }) => cpuMs),
  }));
  await work.stop();
  await liveness.stop();
  return { kind: 'jobs', costs };
});

/** Nudges the first part of each chain, and waits until all are settled. */
async function settle(
  { dataSource, ctx, reconciler, clock }: World,
  { name, parts, depth }: Graph,
): Promise<GraphCost> {
  const heads = await insertParts(dataSource, parts, depth);
  const end = reconciler.made + parts;
  const [start, cpuStart] = [performance.now(), await clock.milliseconds()];
  await inTransaction(ctx, (tx) =>
    nudgeAll(
      tx,
      heads.map((id) => ({ task: 'part', resource: 'part', id })),
    ),
  );
  while (reconciler.made < end || !(await allSettled(dataSource))) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const [ms, cpuMs] = [performance.now() - start, (await clock.milliseconds()) - cpuStart];
  return { name, ms: ms / parts, cpuMs: cpuMs / parts };
}

/** @returns the ids of those that follow no other */
async function insertParts(
  dataSource: DataSource,
  count: number,
  depth: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const isHead = (at: number): boolean => at % depth === 0;
  await dataSource.query('TRUNCATE parts');
  await dataSource.query(
    `INSERT INTO parts (id, next_id, state, state_deadline)
     SELECT id, next_id, state, CASE state WHEN 'making' THEN now() + interval '1 hour' END
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS part (id, next_id, state)`,
    [
      ids,
      ids.map((_, at) => (isHead(at + 1) ? null : ids[at + 1])),
      ids.map((_, at) => (isHead(at) ? 'making' : 'waiting')),
    ],
  );
  return ids.filter((_, at) => isHead(at));
}

async function allSettled(dataSource: DataSource): Promise<boolean> {
  const rows: unknown[] = await dataSource.query(
    `SELECT WHERE EXISTS (SELECT FROM jobs)
               OR EXISTS (SELECT FROM parts WHERE state <> 'there')`,
  );
  return rows.length === 0;
}

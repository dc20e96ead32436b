/** The engine on its tables, without the service around it, with handmade templates and test types. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { databaseUrlOf, createDataSource } from '@cumulet/common/database/data-source';
import { inTransaction } from '@cumulet/common/database/transaction';
import { closeJobPool } from '@cumulet/common/jobs/job-pool';
import { Jobs1796400000000 } from '@cumulet/common/jobs/jobs.migration';
import { Liveness } from '@cumulet/common/jobs/liveness';
import { nudge } from '@cumulet/common/jobs/nudge';
import { Worker } from '@cumulet/common/jobs/worker';
import { createLogger } from '@cumulet/common/observe/logger';
import type { ReconciledRow, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { initialState } from '@cumulet/common/states/transition';
import { Table } from '@cumulet/common/tables/table';
import { LooseTrust } from '@cumulet/common/trusts/loose-trust.entity';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { eventually } from '@cumulet/testing/settle';
import type { ModuleRef } from '@nestjs/core';
import type { GivenTrust } from '@cumulet/common/trusts/trust-ports';
import type { DataSource } from 'typeorm';
import { Core1798000000000 } from '../database/migrations/1798000000000-core.js';
import { BoundedEvents1798000300000 } from '../database/migrations/1798000300000-bounded-events.js';
import { Signals1798000200000 } from '../database/migrations/1798000200000-signals.js';
import { DeletedStack } from '../rows/deleted-stack.entity.js';
import { StackEvent } from '../rows/stack-event.entity.js';
import { ResourceSnapshot, StackSnapshot } from '../rows/stack-snapshot.entity.js';
import { SoftwareConfig } from '../software-configs/software-config.entity.js';
import { SoftwareDeployment } from '../software-deployments/software-deployment.entity.js';
import { StackResource } from '../rows/stack-resource.entity.js';
import { StackTemplate } from '../rows/stack-template.entity.js';
import { Stack, type StackId } from '../rows/stack.entity.js';
import { ResourceSignal, SignalTally } from '../rows/resource-signal.entity.js';
import { ResourceSignalRepository } from '../rows/resource-signal.repository.js';
import { SignalAddresses } from './signal-address.js';
import { StackReconciler } from './stack.reconciler.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { stackStates, type StackAction } from '../rows/stack.states.js';
import { StackEventRepository } from '../rows/stack-event.repository.js';
import type { ResourceType } from '../resource-types/resource-type.js';
import type { OrchestrationQuotas } from '../quotas/orchestration-quotas.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { ResourceEndRepository } from '../rows/resource-end.repository.js';
import { StackResourceReconciler } from './stack-resource.reconciler.js';
import { StackResourceRepository } from '../rows/stack-resource.repository.js';
import { EXACT_JSON } from '../json/exact-json.js';
import type { JsonObject } from '../json/json.js';
import type { ReadTemplate } from '../template/read-template.js';
import { outlineOf, type TemplateReader } from '../template/template-reader.js';
import type { EnginePorts } from './engine-ports.js';
import { LiveAttributes, ReadStack } from './commands/read-stack.js';
import { SignalResource } from './commands/signal-resource.js';
import { Applying } from './goals/applying.js';
import { Beginning } from './goals/beginning.js';
import { PendingRequests } from './goals/pending-requests.js';
import { HookStops } from './goals/hooks.js';
import { OtherGoals } from './goals/others.js';
import { Removing } from './goals/removing.js';
import { Replacing } from './goals/replacing.js';
import { ResourceTools } from './goals/resource-tools.js';
import { Settling } from './goals/settle.js';
import { SnapshotData } from './goals/snapshot-data.js';
import { NestedStackRows } from './nested/nested-stack-rows.js';
import { OwnNestedStacks } from './nested/own-nested-stacks.js';
import { StackEnd } from './stack-end.js';
import { StackExport } from './stack-export.js';
import { PlanWriter, StackPlanning } from './write-plan.js';
import { StackSnapshots } from './stack-snapshots.js';
import { StackTemplates } from './stack-templates.js';
import { ActionStart, type ActionColumns } from './start-action.js';
import { evaluate, template, withDefaults } from './template.fixture.js';
import { nudgeOfStack } from '../rows/stack-nudges.js';

export const orchestrationTables = {
  name: 'orchestration_engine',
  dataSource: (url: string): DataSource =>
    createDataSource({
      url,
      poolSize: 20,
      applicationName: 'cumulet orchestration tests',
      entities: [
        DeletedStack,
        LooseTrust,
        ResourceSignal,
        ResourceSnapshot,
        SignalTally,
        SoftwareConfig,
        SoftwareDeployment,
        Stack,
        StackEvent,
        StackResource,
        StackSnapshot,
        StackTemplate,
      ],
      migrations: [
        Jobs1796400000000,
        Core1798000000000,
        Signals1798000200000,
        BoundedEvents1798000300000,
      ],
    }),
};

const config = {
  deleteRetrySeconds: 5,
  errorWaitSeconds: 240,
  maxSignals: 1_000,
  maxSignalBytes: 1_048_576,
  maxStackSignalBytes: 16_777_216,
  stackTimeoutMinutes: 60,
  secretKey: 'k'.repeat(64),
};

const logger = createLogger('test', 'silent');

export interface EngineOptions {
  readonly types: readonly ResourceType[];
  readonly config?: Partial<typeof config>;
}

/** The engine on a database of its own. No worker runs until a test starts one. */
export class TestEngine {
  readonly ctx: RequestContext;
  readonly sealed: SealedJson;
  readonly stacks = new StackWorkRepository();
  readonly rows = new StackResourceRepository();
  readonly templates: StackTemplates;
  readonly actions: ActionStart;
  readonly end: StackEnd;
  readonly stackReconciler: StackReconciler;
  readonly resourceReconciler: StackResourceReconciler;
  /** The reader's results, by the name of the stack. */
  readonly read = new Map<string, ReadTemplate>();
  readonly endedTrusts: string[] = [];
  /** The trusts that identity lists. */
  readonly givenTrusts: GivenTrust[] = [];
  readonly ports: EnginePorts;
  readonly signals: SignalResource;
  readonly reading: ReadStack;
  readonly nestedRows: NestedStackRows;

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
    { types, config: changes = {} }: EngineOptions,
  ) {
    const settings = { ...config, ...changes };
    this.ctx = RequestContext.system('req-test', dataSource.manager);
    this.sealed = new SealedJson(settings, EXACT_JSON);
    const events = new StackEventRepository();
    const ports: EnginePorts = (this.ports = {
      services: {} as EnginePorts['services'],
      typeOf: (name) => types.find((type) => type.name === name),
      evaluate,
      propertiesOf: (type, given) => Promise.resolve(withDefaults(type, given)),
      answer: () => Promise.resolve(),
      zones: () => Promise.resolve(undefined),
      userName: () => Promise.resolve('user'),
      createTrust: () => Promise.resolve(randomUUID()),
      endTrust: (trustId) => Promise.resolve(void this.endedTrusts.push(trustId)),
      isTrustValid: (trustId) => Promise.resolve(!this.endedTrusts.includes(trustId)),
      givenTrusts: () => Promise.resolve(this.givenTrusts),
    });
    const reader: TemplateReader = {
      read: ({ template: source }) =>
        Promise.resolve(template((source as JsonObject)['resources'] as never)),
      outline: async (request) => outlineOf(await reader.read(request)),
    };
    this.templates = new StackTemplates(this.stacks, reader, this.sealed);
    this.actions = new ActionStart(settings, events, this.sealed);
    const kept = new ResourceSignalRepository(settings, this.sealed);
    const exports = new StackExport(this.stacks, this.templates, this.sealed, kept);
    const signals = new SignalAddresses(
      { guestUrl: 'http://guests', publicUrl: undefined },
      this.sealed,
    );
    const quotas = { claim: () => Promise.resolve() } as unknown as OrchestrationQuotas;
    const nestedRows = (this.nestedRows = new NestedStackRows(
      this.stacks,
      this.templates,
      this.actions,
      quotas,
    ));
    const modules = { get: (): ReadStack => reading } as unknown as ModuleRef;
    const nested = new OwnNestedStacks(
      nestedRows,
      this.stacks,
      this.templates,
      reader,
      this.sealed,
      modules,
    );
    const tools = new ResourceTools(
      this.rows,
      this.sealed,
      ports,
      nested,
      signals,
      kept,
      this.stacks,
    );
    const reading = (this.reading = new ReadStack(
      tools,
      this.templates,
      new LiveAttributes(tools),
    ));
    const snapshots = new StackSnapshots(this.sealed, exports, this.stacks, tools);
    this.end = new StackEnd(this.stacks, events, ports, this.sealed, this.actions, snapshots);
    const writer = new PlanWriter(this.stacks, this.sealed);
    const planning = new StackPlanning(this.stacks, this.templates, writer, this.sealed, snapshots);
    this.stackReconciler = new StackReconciler(this.stacks, planning, this.end);
    this.signals = new SignalResource(tools);
    const ends = new ResourceEndRepository();
    const settling = new Settling(this.rows, ends, this.stacks);
    const hooks = new HookStops(this.rows);
    const data = new SnapshotData(this.sealed, this.stacks);
    const replacing = new Replacing(tools, ends);
    const begun = new PendingRequests(tools, replacing);
    const beginning = new Beginning(tools, replacing, hooks, data);
    this.resourceReconciler = new StackResourceReconciler(
      this.rows,
      ends,
      this.stacks,
      new Applying(begun, beginning, tools, settling, hooks),
      new Removing(settings, tools, settling, hooks),
      new OtherGoals(tools, settling, data),
      tools,
    );
  }

  static async start(options: EngineOptions): Promise<TestEngine> {
    const database = await createTestDatabase(orchestrationTables);
    const dataSource = await orchestrationTables.dataSource(database.url).initialize();
    return new TestEngine(database, dataSource, options);
  }

  async stop(): Promise<void> {
    await closeJobPool(this.dataSource);
    await this.dataSource.destroy();
    await this.database.drop();
  }

  /** Starts workers as a process does. */
  async work(concurrency = 16): Promise<{ stop(): Promise<void> }> {
    const { dataSource } = this;
    const liveness = new Liveness(databaseUrlOf(dataSource), () => undefined);
    const of = (reconciler: Reconciler<ReconciledRow>, task: string): Worker =>
      new Worker({
        dataSource,
        logger,
        liveness,
        concurrency,
        tasks: [task],
        async run({ id, attempt, context }, stopping) {
          const ctx = RequestContext.deserialise(context, dataSource.manager);
          await runReconciler(reconciler, ctx, id, attempt, { logger, stopping });
        },
      });
    const workers = [
      of(this.stackReconciler, 'stack'),
      of(this.resourceReconciler, 'stack_resource'),
    ];
    for (const worker of workers) await worker.start();
    return {
      async stop() {
        liveness.abandon();
        await Promise.all(workers.map((worker) => worker.stop()));
        await liveness.stop();
      },
    };
  }

  async create(read: ReadTemplate, fields: Partial<Stack> = {}): Promise<Stack> {
    const id = asId<StackId>(randomUUID());
    return inTransaction(this.ctx, async (tx) => {
      const templateId = await this.templates.store(tx, read);
      const { state, stateSince } = initialState(stackStates);
      const timeoutAt = new Date(Date.now() + 3_600_000);
      const stack = await stacksTable.insert(tx, {
        id,
        rootId: id,
        templateId,
        state,
        stateSince,
        timeoutAt,
        name: `stack-${id}`,
        projectId: asId('project'),
        userId: asId('user'),
        userName: 'user',
        action: 'CREATE' as const,
        ...fields,
      });
      await nudge(tx, nudgeOfStack(id));
      return stack;
    });
  }

  async update({ id }: Stack, read: ReadTemplate): Promise<void> {
    await inTransaction(this.ctx, async (tx) => {
      const stack = await this.get(id);
      const templateId = await this.templates.store(tx, read);
      const previousTemplateId =
        stack.state === 'complete' ? stack.templateId : stack.previousTemplateId;
      await this.actions.start(tx, stack, 'UPDATE', { templateId, previousTemplateId });
    });
  }

  async act({ id }: Stack, action: StackAction, columns: ActionColumns = {}): Promise<void> {
    const stack = await this.get(id);
    await inTransaction(this.ctx, (tx) => this.actions.start(tx, stack, action, columns));
  }

  async get(id: string): Promise<Stack> {
    const stack = await this.stacks.find(this.ctx, id);
    if (!stack) throw new Error(`no stack ${id}`);
    return stack;
  }

  /** Waits until the stack's action is over. @returns the stack; undefined if it is gone */
  async settled({ id }: Pick<Stack, 'id'>, maxWaitMs = 10_000): Promise<Stack | undefined> {
    let stack: Stack | undefined;
    await eventually(
      'the stack has settled',
      async () => {
        stack = await this.stacks.find(this.ctx, id);
        return stack?.state !== 'in_progress';
      },
      maxWaitMs,
    );
    return stack;
  }

  /** `CREATE_COMPLETE` and the like, by resource name. */
  async statuses({ id }: Pick<Stack, 'id'>): Promise<Record<string, string>> {
    const rows = await this.stacks.resources(this.ctx, id);
    const current = rows.filter(({ obsolete }) => !obsolete);
    return Object.fromEntries(current.map((one) => [one.name, `${one.action}_${one.status}`]));
  }

  /** `a CREATE_COMPLETE: state changed`, in order. */
  async events({ id, name }: Pick<Stack, 'id' | 'name'>): Promise<string[]> {
    const rows: StackEvent[] = await this.dataSource.query(
      `SELECT resource_name AS "resourceName", action, status, reason FROM stack_events
        WHERE stack_id = $1 ORDER BY position`,
      [id],
    );
    return rows.map(
      (one) =>
        `${one.resourceName === name ? 'stack' : one.resourceName} ${one.action}_${one.status}: ${one.reason}`,
    );
  }
}

const stacksTable = new Table(Stack, { missing: () => new Error('no such stack') as never });

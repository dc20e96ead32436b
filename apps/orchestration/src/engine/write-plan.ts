/** Writes a plan into rows: one transaction whose number of statements does not grow with the plan. */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import { Injectable } from '@nestjs/common';
import { ownOf } from '../json/json.js';
import { isSameJson } from '../json/same-json.js';
import type { StackResource } from '../rows/stack-resource.entity.js';
import type { ResourceGoal } from '../rows/stack-resource.states.js';
import type { Stack, StackStage } from '../rows/stack.entity.js';
import { StackWorkRepository, type PlannedWork } from '../rows/stack-work.repository.js';
import type { StackAction } from '../rows/stack.states.js';
import { lockStack, nudgeOfResource } from '../rows/stack-nudges.js';
import type { ReadTemplate } from '../template/read-template.js';
import { orderOf, planOf, type PlannedRow, type Step } from './plan.js';
import { StackSnapshots } from './stack-snapshots.js';
import { StackTemplates } from './stack-templates.js';
import type { ActionData } from './stored.js';

/** Resources of a project that share a place in the queue, and the last place. */
const PLACE = { width: 32, last: 20 };

type Content = Omit<PlannedWork, 'id' | 'isNew' | 'name' | 'waitingFor' | 'next' | 'turn'>;

const NONE = { physicalId: null, data: null, metadata: null };

/** The columns of a row that keeps its definition. */
const UNCHANGED: Content = {
  type: '',
  definition: undefined,
  requires: undefined,
  asked: undefined,
  ...NONE,
};

@Injectable()
export class PlanWriter {
  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly sealed: SealedJson,
  ) {}

  /** @returns the number of resources with work to do */
  async apply(
    ctx: RequestContext,
    stack: Stack,
    template: Pick<ReadTemplate, 'resources' | 'outputs'>,
    { adopted = {} }: ActionData,
  ): Promise<number> {
    return this.#write(ctx, stack, 'applying', 'applying', (rows) => {
      const definitions = template.resources;
      const byId = new Map<string, StackResource>(rows.map((row) => [row.id, row]));
      const { steps, obsolete } = planOf(
        rows.map(plannedRow),
        definitions,
        Object.values(template.outputs),
        ({ id, name }) => this.#isOf(byId.get(id), ownOf(definitions, name)),
      );
      const work = this.#workOf(steps, ({ name, rowId, asked }) => {
        const definition = ownOf(definitions, name);
        if (!definition) throw new Error(`a step without a definition: ${name}`);
        const { type, requires } = definition;
        const known = rowId === undefined ? ownOf(adopted, name) : undefined;
        return {
          type,
          requires,
          asked,
          definition: this.sealed.seal(definition),
          ...(known
            ? {
                physicalId: known.physicalId,
                data: this.sealed.seal(known.data),
                metadata: known.metadata === undefined ? null : this.sealed.seal(known.metadata),
              }
            : NONE),
        };
      });
      return { work, obsolete };
    });
  }

  /** Plans checks, suspensions and the like of resources that stay. */
  async go(
    ctx: RequestContext,
    stack: Stack,
    goal: Exclude<ResourceGoal, 'applying' | 'removing'>,
  ): Promise<number> {
    return this.#write(ctx, stack, 'applying', goal, (rows) => {
      const current = rows.filter(({ obsolete }) => !obsolete);
      const inOrder = orderOf(current, goal === 'suspending' ? 'back' : 'forth');
      const isOrdered = goal === 'suspending' || goal === 'resuming';
      const steps = inOrder.map((step) =>
        isOrdered ? step : { ...step, waitingFor: 0, next: [] },
      );
      return { work: this.#workOf(steps, () => UNCHANGED), obsolete: [] };
    });
  }

  /** Deletes obsolete resources; of a deleted stack, all. */
  async remove(ctx: RequestContext, stack: Stack, isAll: boolean): Promise<number> {
    return this.#write(ctx, stack, 'removing', 'removing', (rows) => {
      const going = rows.filter(({ obsolete }) => isAll || obsolete);
      const work = this.#workOf(orderOf(going, 'back'), () => UNCHANGED);
      return { work, obsolete: isAll ? going.map(({ id }) => id) : [] };
    });
  }

  async #write(
    ctx: RequestContext,
    stack: Stack,
    stage: StackStage,
    goal: ResourceGoal,
    plan: (rows: readonly StackResource[]) => {
      readonly work: readonly PlannedWork[];
      readonly obsolete: readonly string[];
    },
  ): Promise<number> {
    return inTransaction(ctx, async (tx) => {
      await lockStack(tx, stack.id);
      const { work, obsolete } = plan(await this.stacks.resources(tx, stack.id));
      const before = Math.floor((await this.stacks.workOf(tx, stack.projectId)) / PLACE.width);
      const placed = work.map((one, at) => ({
        ...one,
        turn: Math.min(PLACE.last, before + Math.floor(at / PLACE.width)),
      }));
      // Deletions first: a new resource may have the name of an old one.
      await this.stacks.makeObsolete(tx, stack.id, obsolete);
      await this.stacks.writeWork(tx, stack, goal, placed);
      // The stack last, the lock order of rows that settle.
      if (!(await this.stacks.enter(tx, stack, stage, work.length))) throw new PlanOutOfDate();
      await nudgeAll(tx, placed.filter(({ waitingFor }) => waitingFor === 0).map(nudgeOfResource));
      return work.length;
    });
  }

  #workOf(steps: readonly Step[], contentOf: (step: Step) => Content): PlannedWork[] {
    const ids = steps.map(({ rowId }) => rowId ?? randomUUID());
    return steps.map((step, at) => ({
      ...contentOf(step),
      id: ids[at] as string,
      isNew: step.rowId === undefined,
      name: step.name,
      waitingFor: step.waitingFor,
      next: step.next.map((index) => ids[index] as string),
      turn: 0,
    }));
  }

  #isOf(row: StackResource | undefined, definition: unknown): boolean {
    if (!row || definition === undefined) return false;
    return isSameJson(this.sealed.open(row.definition), definition);
  }
}

/** Another action has begun, and is planned instead. */
export class PlanOutOfDate extends Error {
  override readonly name = 'PlanOutOfDate';
}

function plannedRow(row: StackResource): PlannedRow {
  const { id, name, requires, obsolete, action, status, properties, createdAt } = row;
  return {
    id,
    name,
    requires,
    obsolete,
    createdAt,
    isWhole: status === 'COMPLETE' && properties !== null && action !== 'DELETE',
    isDeleting: action === 'DELETE',
  };
}

type StayingGoal = Exclude<ResourceGoal, 'applying' | 'removing'>;

const STAYING: Partial<Record<StackAction, StayingGoal>> = {
  SUSPEND: 'suspending',
  RESUME: 'resuming',
  CHECK: 'checking',
  SNAPSHOT: 'snapshotting',
};

const EMPTY: Pick<ReadTemplate, 'resources' | 'outputs'> = { resources: {}, outputs: {} };

@Injectable()
export class StackPlanning {
  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly templates: StackTemplates,
    private readonly writer: PlanWriter,
    private readonly sealed: SealedJson,
    private readonly snapshots: StackSnapshots,
  ) {}

  /** @returns the number of resources with work to do */
  async plan(ctx: RequestContext, stack: Stack): Promise<number> {
    if (stack.action === 'DELETE') {
      await this.snapshots.removeAll(ctx, stack);
      return this.writer.remove(ctx, stack, true);
    }
    const goal = STAYING[stack.action];
    if (goal) return this.writer.go(ctx, stack, goal);
    const data = this.sealed.openIfAny<ActionData>(stack.actionData, {});
    const template = data.isEmpty === true ? EMPTY : await this.templates.read(ctx, stack);
    return this.writer.apply(ctx, stack, template, data);
  }

  async planRemoval(ctx: RequestContext, stack: Stack): Promise<number> {
    // Leftovers of an update are not checked, suspended and the like.
    if (STAYING[stack.action]) {
      await this.stacks.enter(ctx, stack, 'removing', 0);
      return 0;
    }
    return this.writer.remove(ctx, stack, false);
  }
}

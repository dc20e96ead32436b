/** Which plan an action of a stack takes. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { ResourceGoal } from '../rows/stack-resource.states.js';
import type { Stack } from '../rows/stack.entity.js';
import { StackRepository } from '../rows/stack.repository.js';
import type { StackAction } from '../rows/stack.states.js';
import type { ReadTemplate } from '../template/read-template.js';
import type { ActionData } from './stored.js';
import { StackSnapshots } from './stack-snapshots.js';
import { StackTemplates } from './stack-templates.js';
import { PlanWriter } from './write-plan.js';

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
    private readonly stacks: StackRepository,
    private readonly templates: StackTemplates,
    private readonly writer: PlanWriter,
    private readonly sealed: SealedJson,
    private readonly snapshots: StackSnapshots,
  ) {}

  /** @returns the number of resources that there is something to do with */
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
    // What an update has left behind is not what a check or the like is about.
    if (STAYING[stack.action]) {
      await this.stacks.enter(ctx, stack, 'removing', 0);
      return 0;
    }
    return this.writer.remove(ctx, stack, false);
  }
}

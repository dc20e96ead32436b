/** The rows of nested stacks: at most one for each resource. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SupersededError } from '@cumulet/common/states/transition';
import { OrchestrationQuotas } from '../../quotas/orchestration-quotas.js';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { Stack, StackId } from '../../rows/stack.entity.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import { dropTemplates } from '../../rows/stack-template.repository.js';
import type { StackAction } from '../../rows/stack.states.js';
import type { Facade, ReadTemplate } from '../../template/read-template.js';
import { countOf } from '../commands/new-templates.js';
import { StackTemplates } from '../stack-templates.js';
import { ActionStart, type ActionColumns } from '../start-action.js';
import type { AdoptedBelow } from '../stored.js';
import { StackBusyError } from '../../resource-types/resource-type.errors.js';

type Adopted = AdoptedBelow['resources'];

@Injectable()
export class NestedStackRows {
  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly templates: StackTemplates,
    private readonly actions: ActionStart,
    private readonly quotas: OrchestrationQuotas,
  ) {}

  find(ctx: RequestContext, { id }: LoadedResource): Promise<Stack | undefined> {
    return this.stacks.ofResource(ctx, id);
  }

  /** @throws QuotaExceededError for too many resources or levels */
  async insert(
    ctx: RequestContext,
    row: LoadedResource,
    stack: { readonly id: StackId; readonly name: string; readonly adopted: Adopted | undefined },
    template: ReadTemplate,
    facade: Facade,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const nestedDepth = row.stackDepth + 1;
      await this.claim(tx, row, template, nestedDepth);
      const { stackTimeoutMinutes: timeoutMinutes } = row;
      const seconds = await this.secondsOf(tx, row, { timeoutMinutes });
      const { id, name, adopted } = stack;
      const action = adopted ? 'ADOPT' : 'CREATE';
      await this.actions.first(tx, adopted ? { adopted } : {}, seconds, {
        id,
        name,
        action,
        nestedDepth,
        trustId: null,
        ownerId: row.stackId,
        ownerResourceId: row.id,
        ownerResourceName: row.name,
        rootId: asId(row.rootId),
        projectId: asId(row.projectId),
        userId: asId(row.userId),
        userName: row.userName,
        description: template.description,
        timeoutMinutes,
        disableRollback: true,
        tags: [],
        templateId: await this.templates.store(tx, template, facade),
      });
    });
  }

  async update(
    ctx: RequestContext,
    row: LoadedResource,
    stack: Stack,
    template: ReadTemplate,
    facade: Facade,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await this.claim(tx, row, template, stack.nestedDepth, stack.id);
      const templateId = await this.templates.store(tx, template, facade);
      const { description } = template;
      await this.begin(tx, row, stack, 'UPDATE', {
        templateId,
        description,
        previousTemplateId: null,
        timeoutMinutes: row.stackTimeoutMinutes,
      });
      await dropTemplates(tx, [stack.templateId, stack.previousTemplateId]);
    });
  }

  /** @throws StackBusyError */
  async act(
    ctx: RequestContext,
    row: LoadedResource,
    stack: Stack,
    action: StackAction,
  ): Promise<void> {
    await inTransaction(ctx, (tx) => this.begin(tx, row, stack, action));
  }

  private async begin(
    tx: RequestContext,
    row: LoadedResource,
    stack: Stack,
    action: StackAction,
    columns: ActionColumns = {},
  ): Promise<void> {
    const { timeoutMinutes = stack.timeoutMinutes } = columns;
    const seconds = await this.secondsOf(tx, row, { timeoutMinutes });
    try {
      await this.actions.start(tx, stack, action, columns, seconds);
    } catch (error) {
      // The nested stack is busy with another action, not the resource.
      throw error instanceof SupersededError ? new StackBusyError() : error;
    }
  }

  /**
   * At most the time that its resource has left, which is little once the stack above has failed.
   * Locks the row, so that a failure of the stack above either finds the nested stack or shortens
   * the deadline first.
   */
  private async secondsOf(
    tx: RequestContext,
    { id, timeoutAt }: LoadedResource,
    stack: Pick<Stack, 'timeoutMinutes'>,
  ): Promise<number> {
    const [row] = await preparedRows<{ deadline: Date | null }>(
      tx.manager,
      'SELECT state_deadline AS deadline FROM stack_resources WHERE id = $1 FOR SHARE',
      [id],
    );
    const left = [timeoutAt, row?.deadline ?? null].map((end) =>
      end === null ? Infinity : (end.getTime() - Date.now()) / 1_000,
    );
    return Math.max(1, Math.min(this.actions.secondsOf(stack), ...left));
  }

  /** @param except a stack whose resources the template replaces */
  private async claim(
    tx: RequestContext,
    { rootId, projectId }: LoadedResource,
    template: ReadTemplate,
    nestedDepth: number,
    except: string = randomUUID(),
  ): Promise<void> {
    const others = await this.stacks.countResources(tx, rootId, except);
    const resources = countOf(template) + others;
    const wanted = { resources_per_stack: resources, nested_depth: nestedDepth };
    await this.quotas.claim(tx, wanted, asId(projectId));
  }
}

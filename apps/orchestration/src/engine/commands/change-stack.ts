/** Stacks change: they are updated, brought back to a snapshot, or go. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { looseTrusts } from '@cumulet/common/trusts/loose-trust.repository';
import { OrchestrationQuotas } from '../../quotas/orchestration-quotas.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { StackSnapshot } from '../../rows/stack-snapshot.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import { ActionInProgressError, NotSupportedError } from '../../rows/stack.errors.js';
import { StackRepository } from '../../rows/stack.repository.js';
import { stackTable } from '../../rows/stack.table.js';
import type { JsonObject } from '../../json/json.js';
import { refuseImmutableChanges } from '../../template/parameters/read-parameters.js';
import type { ReadTemplate } from '../../template/read-template.js';
import type { StackChange, TemplateSummary } from '../stack-commands.js';
import { StackTemplates } from '../stack-templates.js';
import { ActionStart, type ActionColumns } from '../start-action.js';
import type { ActionData } from '../stored.js';
import { countOf, NewTemplates, templateAfter } from './new-templates.js';
import { trustsOf, type TrustColumns } from './trusts.js';

@Injectable()
export class ChangeStack {
  constructor(
    private readonly newTemplates: NewTemplates,
    private readonly templates: StackTemplates,
    private readonly stacks: StackRepository,
    private readonly quotas: OrchestrationQuotas,
    private readonly actions: ActionStart,
    private readonly sealed: SealedJson,
  ) {}

  /** The template that the change leads to. @throws TemplateError, NotSupportedError */
  async read(
    ctx: RequestContext,
    stack: Stack,
    change: StackChange,
  ): Promise<{ readonly before: TemplateSummary; readonly after: ReadTemplate }> {
    requireUpdatable(stack);
    const before = await this.templates.summary(ctx, stack);
    const { id, name, projectId } = stack;
    const pseudo = { id, name, projectId };
    const after =
      change.existing === true
        ? await this.newTemplates.readPatch(ctx, before.source, change, pseudo)
        : await this.newTemplates.read(
            ctx,
            { ...change, ...templateAfter(before.source, change) },
            pseudo,
          );
    refuseImmutableChanges(before.parameters, after.parameters);
    return { before, after };
  }

  async update(
    ctx: RequestContext,
    stack: Stack,
    template: ReadTemplate,
    change: StackChange,
    trust: TrustColumns,
  ): Promise<Stack> {
    const tags = change.tags ?? (change.existing === true ? undefined : []);
    const columns: ActionColumns = {
      ...trust,
      timeoutMinutes: change.timeoutMinutes ?? stack.timeoutMinutes,
      disableRollback: change.disableRollback ?? stack.disableRollback,
      ...(tags ? { tags: [...tags] } : {}),
    };
    await this.begin(ctx, stack, 'UPDATE', template, columns, {
      ...(change.converge === true ? { isForced: true } : {}),
    });
    return stackTable.get(ctx, stack.id);
  }

  async restore(
    ctx: RequestContext,
    stack: Stack,
    snapshot: StackSnapshot,
    trust: TrustColumns,
  ): Promise<void> {
    requireUpdatable(stack);
    if (snapshot.status !== 'COMPLETE' || snapshot.data === null)
      throw new NotSupportedError(`Restoring a snapshot that is ${snapshot.status}`);
    const { template, environment, files } = this.sealed.open<SnapshotContent>(snapshot.data);
    const { id, name, projectId } = stack;
    const pseudo = { id, name, projectId };
    const given = { template, environment, files, constraints: 'known' } as const;
    const read = await this.newTemplates.read(ctx, given, pseudo);
    await this.begin(ctx, stack, 'RESTORE', read, trust, { snapshotId: snapshot.id });
  }

  private async begin(
    ctx: RequestContext,
    stack: Stack,
    action: 'UPDATE' | 'RESTORE',
    template: ReadTemplate,
    columns: ActionColumns,
    data: ActionData,
  ): Promise<void> {
    const { description } = template;
    await inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { resources_per_stack: countOf(template) });
      const templateId = await this.templates.store(tx, template);
      const isWhole = stack.state === 'complete';
      const previousTemplateId = isWhole
        ? stack.templateId
        : (stack.previousTemplateId ?? stack.templateId);
      const actionData = Object.keys(data).length === 0 ? null : this.sealed.seal(data);
      await this.actions.start(tx, stack, action, {
        templateId,
        previousTemplateId,
        description,
        actionData,
        ...columns,
      });
      await this.stacks.dropTemplates(tx, [stack.templateId, stack.previousTemplateId]);
    });
  }

  async delete(ctx: RequestContext, stack: Stack, trust: TrustColumns): Promise<void> {
    await inTransaction(ctx, (tx) => this.actions.start(tx, stack, 'DELETE', trust));
  }

  /** Forgets the stack with all below it, and nothing of what they stand for. Its trusts are loose. */
  async abandon(ctx: RequestContext, stack: Stack): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await preparedRows(tx.manager, 'DELETE FROM stacks WHERE root_id = $1', [stack.id]);
      await looseTrusts.add(tx, trustsOf(stack));
    });
  }
}

interface SnapshotContent {
  readonly template: JsonObject;
  readonly environment: JsonObject;
  readonly files: Readonly<Record<string, string>>;
}

/** An update supersedes creations and updates alone: what else is under way has no template. */
export function requireUpdatable({ name, action, state }: Stack): void {
  if (action === 'SUSPEND') throw new NotSupportedError('Updating a stack when it is suspended');
  if (action === 'DELETE') throw new NotSupportedError('Updating a stack when it is deleting');
  const isSuperseded = ['CREATE', 'UPDATE', 'ROLLBACK', 'ADOPT', 'RESTORE'].includes(action);
  if (state === 'in_progress' && !isSuperseded) throw new ActionInProgressError(name, action);
}

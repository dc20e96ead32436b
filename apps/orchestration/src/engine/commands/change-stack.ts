/** Updates of stacks, and restorations of snapshots. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { OrchestrationQuotas } from '../../quotas/orchestration-quotas.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { StackSnapshot } from '../../rows/stack-snapshot.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import { ActionInProgressError, NotSupportedError } from '../../rows/stack.errors.js';
import { dropTemplates } from '../../rows/stack-template.repository.js';
import { stackTable } from '../../rows/stack.repository.js';
import type { JsonObject } from '../../json/json.js';
import { refuseImmutableChanges } from '../../template/parameters/read-parameters.js';
import type { ReadTemplate } from '../../template/read-template.js';
import type { StackChange, TemplateSummary } from '../stack-commands.js';
import { StackTemplates } from '../stack-templates.js';
import { ActionStart, type ActionColumns } from '../start-action.js';
import { countOf, NewTemplates, templateAfter } from './new-templates.js';
import { Trusts } from './trusts.js';

@Injectable()
export class ChangeStack {
  constructor(
    private readonly newTemplates: NewTemplates,
    private readonly templates: StackTemplates,
    private readonly quotas: OrchestrationQuotas,
    private readonly actions: ActionStart,
    private readonly sealed: SealedJson,
    private readonly trusts: Trusts,
  ) {}

  /** Reads the template that the change leads to. @throws TemplateError, NotSupportedError */
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

  /** Supersedes an update in progress. @throws NotSupportedError during another action */
  async update(ctx: RequestContext, stack: Stack, change: StackChange): Promise<Stack> {
    const { after } = await this.read(ctx, stack, change);
    const tags = change.tags ?? (change.existing === true ? undefined : []);
    const columns: ActionColumns = {
      timeoutMinutes: change.timeoutMinutes ?? stack.timeoutMinutes,
      disableRollback: change.disableRollback ?? stack.disableRollback,
      ...(tags ? { tags: [...tags] } : {}),
      ...(change.converge === true ? { data: { isForced: true } } : {}),
    };
    return this.trusts.renewed(ctx, stack, async (trust) => {
      await this.begin(ctx, stack, 'UPDATE', after, { ...trust, ...columns });
      return stackTable.get(ctx, stack.id);
    });
  }

  restore(ctx: RequestContext, stack: Stack, snapshot: StackSnapshot): Promise<void> {
    return this.trusts.renewed(ctx, stack, async (trust) => {
      requireUpdatable(stack);
      if (snapshot.status !== 'COMPLETE' || snapshot.data === null)
        throw new NotSupportedError(`Restoring a snapshot that is ${snapshot.status}`);
      const { template, environment, files } = this.sealed.open<SnapshotContent>(snapshot.data);
      const { id, name, projectId } = stack;
      const given = { template, environment, files, constraints: 'known' } as const;
      const read = await this.newTemplates.read(ctx, given, { id, name, projectId });
      const data = { snapshotId: snapshot.id };
      await this.begin(ctx, stack, 'RESTORE', read, { ...trust, data });
    });
  }

  private async begin(
    ctx: RequestContext,
    asRead: Stack,
    action: 'UPDATE' | 'RESTORE',
    template: ReadTemplate,
    columns: ActionColumns,
  ): Promise<void> {
    const { description } = template;
    await inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { resources_per_stack: countOf(template) });
      const templateId = await this.templates.store(tx, template);
      const stack = await this.actions.lock(tx, asRead);
      const isWhole = stack.state === 'complete';
      const previousTemplateId = isWhole
        ? stack.templateId
        : (stack.previousTemplateId ?? stack.templateId);
      await this.actions.start(tx, stack, action, {
        templateId,
        previousTemplateId,
        description,
        ...columns,
      });
      await dropTemplates(tx, [stack.templateId, stack.previousTemplateId]);
    });
  }
}

interface SnapshotContent {
  readonly template: JsonObject;
  readonly environment: JsonObject;
  readonly files: Readonly<Record<string, string>>;
}

/** Only creations and updates can be superseded, since other actions have no template. */
export function requireUpdatable({ name, action, state }: Stack): void {
  if (action === 'SUSPEND') throw new NotSupportedError('Updating a stack when it is suspended');
  if (action === 'DELETE') throw new NotSupportedError('Updating a stack when it is deleting');
  const isSuperseded = ['CREATE', 'UPDATE', 'ROLLBACK', 'ADOPT', 'RESTORE'].includes(action);
  if (state === 'in_progress' && !isSuperseded) throw new ActionInProgressError(name, action);
}

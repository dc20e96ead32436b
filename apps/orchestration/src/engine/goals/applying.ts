/**
 * A resource is made, or made to be as its definition says: in place, or by another that replaces it.
 *
 * Always holds: what a creation or a change is asked for with is written down before, and asked for
 * again with the same after a crash, or by whoever has come to want something else: only then is it
 * known what there is.
 */
import { Injectable } from '@nestjs/common';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import type { Plan, Wait } from '@cumulet/common/reconcile/reconciler';
import { RowChangedError } from '@cumulet/common/states/transition';
import type { Created, ExistingScope, ResourceType } from '../../resource-types/resource-type.js';
import { ReplacementNeeded } from '../../resource-types/resource-type.errors.js';
import type { LoadedResource } from '../../stack-resources/loaded-resource.js';
import type { Told } from '../../stack-resources/stack-resource.repository.js';
import type { ResourceAction, ResourceEvent } from '../../stack-resources/stack-resource.states.js';
import type { References } from '../../template/expression.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import { changedIn, decide, type Decision, type Standing } from '../decide.js';
import { TypedFailure } from '../failure-reason.js';
import { shareStack } from '../stack-lock.js';
import type { Frozen } from '../stored.js';
import { HookStops } from './hooks.js';
import { isRefusal, lookAgain, resourcePhase, type Run } from './phases.js';
import { ResourceTools } from './resource-tools.js';
import { nudgeOfResource, Settling } from './settle.js';
import { SnapshotData } from './snapshot-data.js';

/** Work of a run that later phases go by. */
interface Known {
  readonly definition: ResourceDefinition;
  readonly type: ResourceType;
}

const BEGUN: readonly ResourceAction[] = ['CREATE', 'UPDATE', 'ADOPT'];

@Injectable()
export class Applying {
  readonly plan: Plan<LoadedResource, ResourceEvent> = {
    phases: [
      resourcePhase('finish', (run) => this.finish(run)),
      resourcePhase('begin', (run) => this.begin(run)),
      resourcePhase('ask', (run) => this.finish(run)),
      resourcePhase('await', (run) => this.wait(run)),
      resourcePhase('settle', (run) => this.settle(run)),
    ],
    overdue: 'Timed out',
  };

  readonly #known = new WeakMap<LoadedResource, Known>();

  constructor(
    private readonly tools: ResourceTools,
    private readonly settling: Settling,
    private readonly hooks: HookStops,
    private readonly snapshots: SnapshotData,
  ) {}

  /** Asks for what was begun, under the same key. */
  async finish(run: Run): Promise<void> {
    const { ctx, row } = run;
    if (row.frozen === null) return;
    const { tools } = this;
    const frozen = tools.sealed.open<Frozen>(row.frozen);
    const { type } = this.known(row);
    if (!BEGUN.includes(row.action)) {
      await tools.rows.learn(ctx, row, { frozen: null });
      return;
    }
    const properties = row.frozen;
    const metadata = tools.sealed.seal(frozen.metadata);
    if (row.properties === null) {
      const created = await this.create(run, type, frozen);
      if (!created) return;
      const { physicalId, data } = created;
      const kept = data === undefined ? {} : { data: tools.sealed.seal(data) };
      await tools.rows.learn(ctx, row, { physicalId, properties, metadata, frozen: null, ...kept });
      return;
    }
    const before = tools.sealed.open<Frozen>(row.properties);
    const data = await this.change(run, type, before, frozen);
    const isNew = JSON.stringify(before.metadata) !== JSON.stringify(frozen.metadata);
    await tools.rows.learn(ctx, row, {
      ...{ properties, frozen: null, ...data },
      ...(isNew ? { metadata } : {}),
    });
  }

  /** @returns undefined for one that had failed before, and cannot be made now either */
  private async create(
    { ctx, row, signal }: Run,
    type: ResourceType,
    frozen: Frozen,
  ): Promise<Created | undefined> {
    try {
      return await type.create(this.tools.scopeOf(ctx, row, signal, frozen));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.tools.rows.learn(ctx, row, { frozen: null });
      if (row.status === 'FAILED') return undefined;
      throw error;
    }
  }

  private async change(
    run: Run,
    type: ResourceType,
    before: Frozen,
    frozen: Frozen,
  ): Promise<{ data?: string }> {
    const { ctx, row, signal } = run;
    const { tools } = this;
    const changed = changedIn(type, before, frozen);
    try {
      const updated = await type.update?.(tools.existing(ctx, row, signal, frozen), {
        before: before.properties,
        changed,
        metadataBefore: before.metadata,
      });
      return updated?.data === undefined ? {} : { data: tools.sealed.seal(updated.data) };
    } catch (error) {
      if (error instanceof ReplacementNeeded) return this.replace(run);
      throw error;
    }
  }

  /** Decides what is to be done, and writes it down. */
  async begin(run: Run): Promise<Wait | undefined> {
    const { ctx, row } = run;
    const { tools } = this;
    const known = this.known(row);
    const { definition, type } = known;
    const wanted = await this.wantedOf(run, known);
    const before = tools.frozenOf(row.properties);
    const isUnderWay = row.status === 'IN_PROGRESS' && BEGUN.includes(row.action);
    await this.comeBack(run, type);
    const externalId = this.externalIdOf(definition);
    const decision = decide(type, this.standing(row, before), wanted, externalId);
    const stop = await this.stopBefore(run, definition, decision);
    if (stop) return stop;
    this.requireUnrestricted(definition, decision);
    switch (decision.what) {
      case 'nothing':
        if (await this.isGone(run, type)) await this.replace(run);
        return undefined;
      case 'replace':
        return this.replace(run);
      case 'create':
        return this.beginNew(run, wanted, externalId);
      case 'adopt':
        await this.tell(run, 'ADOPT', wanted, null);
        await tools.rows.learn(ctx, row, { properties: tools.sealed.seal(wanted) });
        return undefined;
      case 'update':
        // What is not whole yet, and is to be another already, is not waited for.
        if (isUnderWay && row.action === 'CREATE' && !(await this.isReady(run, type)))
          return this.replace(run);
        await this.tell(run, 'UPDATE', wanted, tools.sealed.seal(wanted));
        return undefined;
    }
  }

  private async beginNew(run: Run, wanted: Frozen, externalId?: string): Promise<undefined> {
    const { ctx, row } = run;
    const { tools } = this;
    if (externalId === undefined) {
      await this.tell(run, 'CREATE', wanted, tools.sealed.seal(wanted));
      return undefined;
    }
    await this.tell(run, 'ADOPT', wanted, null);
    const properties = tools.sealed.seal(wanted);
    await tools.rows.learn(ctx, row, { physicalId: externalId, properties, isExternal: true });
    return undefined;
  }

  private externalIdOf({ externalId }: ResourceDefinition): string | undefined {
    if (externalId === undefined) return undefined;
    const given = this.tools.ports.evaluate(externalId, NO_REFERENCES);
    if (typeof given !== 'string') throw new TypedFailure('TypeError', 'external_id is no text.');
    return given;
  }

  /** Of an update that looks at what there really is. */
  private async isGone({ ctx, row, signal }: Run, type: ResourceType): Promise<boolean> {
    if (row.stackAction !== 'UPDATE' || !row.hasActionData || !type.read) return false;
    if (row.physicalId === null) return false;
    return (await type.read(this.tools.existing(ctx, row, signal))) === undefined;
  }

  private async wantedOf({ ctx, row }: Run, { definition, type }: Known): Promise<Frozen> {
    const wanted = await this.tools.wantedOf(ctx, row, definition, type);
    if (row.stackAction !== 'RESTORE' || !type.restored) return wanted;
    const data = await this.snapshots.find(ctx, row);
    if (data === undefined) return wanted;
    return { ...wanted, properties: type.restored(wanted.properties, data) };
  }

  private async stopBefore(
    run: Run,
    definition: ResourceDefinition,
    { what }: Decision,
  ): Promise<Wait | undefined> {
    const { row } = run;
    const isNew = what === 'create' || what === 'adopt';
    // One that takes another's place is not stopped again.
    if (isNew && row.replaces !== null) return undefined;
    // Nor one that goes on, or is not the stack's own; any other, even if nothing comes of it.
    if (what === 'nothing' && (row.status === 'IN_PROGRESS' || row.isExternal)) return undefined;
    return this.hooks.stop(run, definition, isNew ? 'pre-create' : 'pre-update');
  }

  private requireUnrestricted({ restrictedActions }: ResourceDefinition, { what }: Decision): void {
    if ((what === 'update' || what === 'replace') && restrictedActions.includes(what))
      throw new TypedFailure('ResourceActionRestricted', `${what} is restricted for resource.`);
  }

  /** Shows what is begun. */
  private async tell(
    { ctx, row }: Run,
    action: ResourceAction,
    wanted: Frozen,
    frozen: string | null,
  ): Promise<void> {
    const properties = this.tools.sealed.seal(wanted.properties);
    const told = { action, status: 'IN_PROGRESS', reason: 'state changed', properties } as const;
    await this.tools.rows.begin(ctx, row, told, frozen);
  }

  /** One that was replaced, and is what its name stands for again. */
  private async comeBack({ ctx, row, signal }: Run, type: ResourceType): Promise<void> {
    if (row.replacedBy === null) return;
    if (!row.isExternal) await type.comeBack?.(this.tools.existing(ctx, row, signal));
    await this.tools.rows.learn(ctx, row, { replacedBy: null });
  }

  /** Another takes its place. @throws RowChangedError, as this one's work is over */
  private async replace({ ctx, row, signal }: Run): Promise<never> {
    const { type } = this.known(row);
    if (row.physicalId !== null && !row.isExternal)
      await type.makeWay?.(this.tools.existing(ctx, row, signal));
    await inTransaction(ctx, async (tx) => {
      await shareStack(tx, row.stackId);
      const id = await this.tools.rows.replace(tx, row);
      await nudge(tx, nudgeOfResource({ id, turn: row.turn }));
    });
    throw new RowChangedError('stack_resource', row.id, 'go on with');
  }

  /** Until it is there, or has been changed. */
  async wait(run: Run): Promise<Wait | undefined> {
    const { ctx, row, signal } = run;
    if (row.status !== 'IN_PROGRESS') return undefined;
    const { type } = this.known(row);
    if (row.action === 'ADOPT') {
      if (type.read && !(await type.read(this.tools.existing(ctx, row, signal))))
        throw new TypedFailure(
          'NotFound',
          `The ${type.name} (${row.physicalId}) could not be found.`,
        );
      return undefined;
    }
    if (row.action === 'CREATE')
      return (await this.isThere(run, type)) ? undefined : lookAgain(row);
    const isDone = (await type.isUpdated?.(this.tools.existing(ctx, row, signal))) ?? true;
    return isDone ? undefined : lookAgain(row);
  }

  /** Whether a change may be asked for while its creation is not over. */
  private async isReady(run: Run, type: ResourceType): Promise<boolean> {
    return type.updatesFailed === true || this.isThere(run, type);
  }

  private async isThere({ ctx, row, signal }: Run, type: ResourceType): Promise<boolean> {
    return (await type.isCreated?.(this.tools.existing(ctx, row, signal))) ?? true;
  }

  async settle(run: Run): Promise<Wait | undefined> {
    const { ctx, row, signal } = run;
    const { tools } = this;
    const known = this.known(row);
    const { definition, type } = known;
    const isDone = row.status === 'IN_PROGRESS';
    if (isDone) {
      const hook = row.action === 'UPDATE' ? 'post-update' : 'post-create';
      const stop = await this.hooks.stop(run, definition, hook);
      if (stop) return stop;
    }
    const scope: ExistingScope = tools.existing(ctx, row, signal);
    const attributes =
      row.asked.length === 0 ? null : await tools.attributesOf(type, scope, row.asked);
    const reference = type.referenceOf?.({ ...scope.row, physicalId: row.physicalId });
    const told: Told | undefined = isDone
      ? {
          action: row.action,
          status: 'COMPLETE',
          reason: 'state changed',
          properties: tools.sealed.seal(scope.properties),
        }
      : undefined;
    await this.settling.settle(ctx, row, told, {
      attributes: attributes && tools.sealed.seal(attributes),
      reference: reference === undefined ? null : tools.sealed.seal(reference),
      formerDefinition: null,
    });
    return undefined;
  }

  private standing(row: LoadedResource, before: Frozen | undefined): Standing {
    return {
      before,
      physicalId: row.physicalId,
      isFailed: row.status === 'FAILED',
      isSameType: this.isSameType(row),
      externalId: row.isExternal ? (row.physicalId ?? undefined) : undefined,
      isNotFound: row.isExternal && row.action === 'ADOPT' && row.status === 'FAILED',
    };
  }

  /** Whether what it was made as and what it is to be have one type. */
  private isSameType(row: LoadedResource): boolean {
    if (row.formerDefinition === null) return true;
    const { sealed } = this.tools;
    const former = sealed.open<ResourceDefinition>(row.formerDefinition).implementation;
    const { implementation } = this.known(row).definition;
    return former.kind === 'template'
      ? implementation.kind === 'template'
      : implementation.kind === 'type' && implementation.type === former.type;
  }

  private known(row: LoadedResource): Known {
    const found = this.#known.get(row);
    if (found) return found;
    const definition = this.tools.definitionOf(row);
    const known = { definition, type: this.tools.typeOf(definition) };
    this.#known.set(row, known);
    return known;
  }
}

const NO_REFERENCES: References = { referenceOf: noReference, attributeOf: noReference };

function noReference(): never {
  throw new TypedFailure('StackValidationFailed', 'external_id must not refer to other resources.');
}

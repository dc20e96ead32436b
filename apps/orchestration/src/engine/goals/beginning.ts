/** Decides on a resource's next step and records it before it is requested. */
import { Injectable } from '@nestjs/common';
import { isRefusal } from '@cumulet/common/states/refusal';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import type { ResourceType } from '../../resource-types/resource-type.js';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { ResourceAction } from '../../rows/stack-resource.states.js';
import type { References } from '../../template/expression.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import { decide, type Decision } from '../decide.js';
import type { Frozen } from '../stored.js';
import { HookStops } from './hooks.js';
import type { Run } from './phases.js';
import { Replacing } from './replacing.js';
import { ResourceTools, type Kind } from './resource-tools.js';
import { SnapshotData } from './snapshot-data.js';
import { TypedFailure } from '../../resource-types/resource-type.errors.js';

@Injectable()
export class Beginning {
  constructor(
    private readonly tools: ResourceTools,
    private readonly replacing: Replacing,
    private readonly hooks: HookStops,
    private readonly snapshots: SnapshotData,
  ) {}

  async begin(run: Run): Promise<Wait | undefined> {
    const { row } = run;
    const { tools } = this;
    const kind = tools.wantedKindOf(row);
    const { definition, type } = kind;
    const wanted = await this.wantedOf(run, kind);
    await this.replacing.restoreReplaced(run);
    const externalId = this.externalIdOf(definition);
    const before = await this.beforeOf(run, kind);
    const decision =
      before === 'gone'
        ? ({ what: 'replace' } as const)
        : this.decide(run, type, before, wanted, externalId);
    const stop = await this.stopBefore(run, definition, decision);
    if (stop) return stop;
    requireUnrestricted(definition, decision);
    switch (decision.what) {
      case 'nothing':
        return undefined;
      case 'replace':
        return this.replacing.replace(run);
      case 'create':
        return this.beginNew(run, wanted, externalId);
      case 'adopt':
        return this.beginAdopted(run, type, wanted);
      case 'update':
        if (!(await this.mayChange(run, type))) return this.replacing.replace(run);
        await this.tell(run, 'UPDATE', wanted, tools.sealed.seal(wanted));
        return undefined;
    }
  }

  private async wantedOf({ ctx, row }: Run, { definition, type }: Kind): Promise<Frozen> {
    const wanted = await this.tools.wantedOf(ctx, row, definition, type);
    if (row.stackAction !== 'RESTORE' || !type.restored) return wanted;
    const data = await this.snapshots.find(ctx, row);
    if (data === undefined) return wanted;
    return { ...wanted, properties: type.restored(wanted.properties, data) };
  }

  private decide(
    { row }: Run,
    type: ResourceType,
    before: Frozen | undefined,
    wanted: Frozen,
    externalId: string | undefined,
  ): Decision {
    const standing = {
      before,
      physicalId: row.physicalId,
      isFailed: row.status === 'FAILED',
      isUnderWay: row.status === 'IN_PROGRESS',
      isSameType: this.isSameType(row),
      externalId: row.isExternal ? (row.physicalId ?? undefined) : undefined,
      isNotFound: row.isExternal && row.action === 'ADOPT' && row.status === 'FAILED',
    };
    return decide(type, standing, wanted, externalId);
  }

  /**
   * The values of the last creation or change. An update that reads the real state (`converge`) first
   * writes it into the row, so that the type sees the differences.
   */
  private async beforeOf(
    { ctx, row, signal }: Run,
    { type }: Kind,
  ): Promise<Frozen | 'gone' | undefined> {
    const before = this.tools.frozenOf(row.properties);
    const isLooking = row.stackAction === 'UPDATE' && row.hasActionData;
    // The service may not show work in progress yet.
    const isStanding = row.physicalId !== null && !row.isExternal && row.status !== 'IN_PROGRESS';
    if (!before || !isLooking || !isStanding || !this.isSameType(row)) return before;
    const scope = this.tools.existing(ctx, row, signal);
    if (!type.drifted) return type.read && !(await type.read(scope)) ? 'gone' : before;
    const drifted = await type.drifted(scope);
    if (!drifted) return 'gone';
    if (Object.keys(drifted).length === 0) return before;
    const real = { ...before, properties: { ...before.properties, ...drifted } };
    await this.tools.rows.record(ctx, row, { properties: this.tools.sealed.seal(real) });
    return real;
  }

  private isSameType(row: LoadedResource): boolean {
    const is = this.tools.kindOf(row).definition.implementation;
    const wanted = this.tools.wantedKindOf(row).definition.implementation;
    return is.kind === 'template'
      ? wanted.kind === 'template'
      : wanted.kind === 'type' && wanted.type === is.type;
  }

  private async stopBefore(
    run: Run,
    definition: ResourceDefinition,
    { what }: Decision,
  ): Promise<Wait | undefined> {
    const { row } = run;
    const isNew = what === 'create' || what === 'adopt';
    // A replacement does not stop at the hook again.
    if (isNew && row.replaces !== null) return undefined;
    // Nor does a step that continues, or one of an external resource; any other does, even if it
    // changes nothing.
    if (what === 'nothing' && (row.status === 'IN_PROGRESS' || row.isExternal)) return undefined;
    return this.hooks.stop(run, definition, isNew ? 'pre-create' : 'pre-update');
  }

  /** An incomplete resource that is to be replaced anyway is not waited for. */
  private async mayChange(run: Run, type: ResourceType): Promise<boolean> {
    const { ctx, row, signal } = run;
    if (await this.isMarked(run, type)) return false;
    const isBeingMade = row.status === 'IN_PROGRESS' && row.action === 'CREATE';
    if (!isBeingMade || type.updatesFailed === true) return true;
    try {
      return (await type.isCreated?.(this.tools.existing(ctx, row, signal))) ?? true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /**
   * Whether a nested stack was itself marked unhealthy and is replaced. After a check that found
   * failures in it, only its failed resources are. Public source: heat,
   * `engine/resources/stack_resource.py`.
   */
  private async isMarked({ ctx, row, signal }: Run, type: ResourceType): Promise<boolean> {
    if (!type.isNested || row.action !== 'CHECK' || row.status !== 'FAILED') return false;
    const stack = await this.tools.existing(ctx, row, signal).nested.find();
    return !(stack?.action === 'CHECK' && stack.status === 'FAILED');
  }

  private async beginNew(run: Run, wanted: Frozen, externalId?: string): Promise<undefined> {
    const { ctx, row } = run;
    const { tools } = this;
    const properties = tools.sealed.seal(wanted);
    if (externalId === undefined) {
      await this.tell(run, 'CREATE', wanted, properties);
      return;
    }
    await this.tell(run, 'ADOPT', wanted, null);
    await tools.rows.record(ctx, row, { physicalId: externalId, properties, isExternal: true });
  }

  /** Creates a nested stack anew around the adopted resources. */
  private async beginAdopted(run: Run, type: ResourceType, wanted: Frozen): Promise<undefined> {
    const { ctx, row } = run;
    const properties = this.tools.sealed.seal(wanted);
    await this.tell(run, 'ADOPT', wanted, type.isNested ? properties : null);
    if (!type.isNested) await this.tools.rows.record(ctx, row, { properties });
  }

  private externalIdOf({ externalId }: ResourceDefinition): string | undefined {
    if (externalId === undefined) return undefined;
    const given = this.tools.ports.evaluate(externalId, NO_REFERENCES);
    if (typeof given !== 'string')
      throw new TypedFailure('TypeError', 'external_id is not a string.');
    return given;
  }

  private async tell(
    { ctx, row }: Run,
    action: ResourceAction,
    wanted: Frozen,
    frozen: string | null,
  ): Promise<void> {
    const properties = this.tools.sealed.seal(wanted.properties);
    const event = { action, status: 'IN_PROGRESS', reason: 'state changed', properties } as const;
    await this.tools.rows.begin(ctx, row, event, frozen);
  }
}

function requireUnrestricted({ restrictedActions }: ResourceDefinition, { what }: Decision): void {
  if ((what === 'update' || what === 'replace') && restrictedActions.includes(what))
    throw new TypedFailure('ResourceActionRestricted', `${what} is restricted for resource.`);
}

const NO_REFERENCES: References = { referenceOf: noReference, attributeOf: noReference };

function noReference(): never {
  throw new TypedFailure('StackValidationFailed', 'external_id must not refer to other resources.');
}

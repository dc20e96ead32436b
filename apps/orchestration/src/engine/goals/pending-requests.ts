/** Repeats a recorded creation or change, with the same key and values, until it is answered. */
import { Injectable } from '@nestjs/common';
import { isRefusal } from '@cumulet/common/states/refusal';
import type { Created, ResourceType } from '../../resource-types/resource-type.js';
import { ReplacementNeeded } from '../../resource-types/resource-type.errors.js';
import type { ResourceAction } from '../../rows/stack-resource.states.js';
import { isSame } from '../../json/same-json.js';
import { changedIn } from '../decide.js';
import type { Frozen } from '../stored.js';
import type { Run } from './phases.js';
import { Replacing } from './replacing.js';
import { ResourceTools } from './resource-tools.js';

const BEGUN: readonly ResourceAction[] = ['CREATE', 'UPDATE', 'ADOPT'];

@Injectable()
export class PendingRequests {
  constructor(
    private readonly tools: ResourceTools,
    private readonly replacing: Replacing,
  ) {}

  async finish(run: Run): Promise<void> {
    const { ctx, row } = run;
    if (row.frozen === null) return;
    const { tools } = this;
    if (!BEGUN.includes(row.action)) {
      await tools.rows.record(ctx, row, { frozen: null });
      return;
    }
    const frozen = tools.sealed.open<Frozen>(row.frozen);
    const { type } = tools.kindOf(row);
    if (row.properties === null) await this.make(run, type, frozen);
    else await this.change(run, type, tools.sealed.open<Frozen>(row.properties), frozen);
  }

  private async make(run: Run, type: ResourceType, frozen: Frozen): Promise<void> {
    const { ctx, row } = run;
    const { sealed, rows } = this.tools;
    const created = await this.create(run, type, frozen);
    if (!created) return;
    const { physicalId, data } = created;
    await rows.record(ctx, row, {
      physicalId,
      properties: row.frozen,
      frozen: null,
      metadata: sealed.seal(frozen.metadata),
      ...(data === undefined ? {} : { data: sealed.seal(data) }),
    });
  }

  /** @returns undefined for one that failed before and cannot be created now either */
  private async create(
    { ctx, row, signal }: Run,
    type: ResourceType,
    frozen: Frozen,
  ): Promise<Created | undefined> {
    try {
      return await type.create(this.tools.scopeOf(ctx, row, signal, frozen));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.tools.rows.record(ctx, row, { frozen: null });
      if (row.status === 'FAILED') return undefined;
      throw error;
    }
  }

  private async change(
    run: Run,
    type: ResourceType,
    before: Frozen,
    frozen: Frozen,
  ): Promise<void> {
    const { ctx, row, signal } = run;
    const { sealed, rows } = this.tools;
    const change = {
      before: before.properties,
      changed: changedIn(type, before, frozen),
      metadataBefore: before.metadata,
    };
    const scope = this.tools.existing(ctx, row, signal, frozen);
    try {
      const updated = await type.update?.(scope, change);
      const isNew = !isSame(before.metadata, frozen.metadata);
      await rows.record(ctx, row, {
        properties: row.frozen,
        frozen: null,
        ...(updated?.data === undefined ? {} : { data: sealed.seal(updated.data) }),
        ...(isNew ? { metadata: sealed.seal(frozen.metadata) } : {}),
      });
      // Signals are metadata in Heat, so new metadata replaces them.
      if (isNew && type.parseSignal) await this.tools.signals.forget(ctx, row.id);
    } catch (error) {
      if (error instanceof ReplacementNeeded) return this.replacing.replace(run);
      throw error;
    }
  }
}

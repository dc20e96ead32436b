/**
 * A stack as data: the result of `abandon` and `export`, the input of `adopt`, and the content of a
 * snapshot. Public source: Orchestration API reference, "Abandon stack".
 *
 * Always holds: a resource with a nested stack includes that stack's data, without the files, which are
 * those of the root.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { ResourceSignalRepository, type ReadSignal } from '../rows/resource-signal.repository.js';
import type { StackResource } from '../rows/stack-resource.entity.js';
import { Stack } from '../rows/stack.entity.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { statusOf } from '../rows/stack.states.js';
import { isMap, type Json, type JsonObject } from '../json/json.js';
import { StackTemplates } from './stack-templates.js';

/** Nested stacks, by the ID of their resource. */
type Below = ReadonlyMap<string | null, Stack>;

@Injectable()
export class StackExport {
  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly templates: StackTemplates,
    private readonly sealed: SealedJson,
    private readonly signals: ResourceSignalRepository,
  ) {}

  async dataOf(ctx: RequestContext, stack: Stack, state = stack.state): Promise<JsonObject> {
    const nested = await selectRows(
      ctx.manager,
      Stack,
      'WHERE root_id = $1 AND owner_resource_id IS NOT NULL',
      [stack.rootId],
    );
    const below = new Map(nested.map((one) => [one.ownerResourceId, one]));
    return this.#dataOf(ctx, stack, state, below);
  }

  async #dataOf(
    ctx: RequestContext,
    stack: Stack,
    state: Stack['state'],
    below: Below,
  ): Promise<JsonObject> {
    const { source } = await this.templates.summary(ctx, stack);
    const rows = await this.stacks.resources(ctx, stack.id);
    const resources: [string, JsonObject][] = [];
    const current = rows.filter(({ obsolete }) => !obsolete);
    const signals = await this.signals.readAll(
      ctx,
      current.map(({ id }) => id),
    );
    for (const row of current) {
      const kept = signals.get(row.id) ?? [];
      resources.push([row.name, await this.#resourceOf(ctx, row, below, kept)]);
    }
    return {
      id: stack.id,
      name: stack.name,
      action: stack.action,
      status: statusOf(state),
      project_id: stack.projectId,
      stack_user_project_id: stack.projectId,
      tags: stack.tags,
      template: source.template,
      environment: source.environment,
      files: source.files,
      resources: Object.fromEntries(resources),
    };
  }

  /** @param signals that are exported too, because the adopter waits only for the remaining ones */
  async #resourceOf(
    ctx: RequestContext,
    row: StackResource,
    below: Below,
    signals: readonly ReadSignal[],
  ): Promise<JsonObject> {
    const metadata = this.sealed.openIfAny<Json>(row.metadata, {});
    const stack = below.get(row.id);
    const { files: _, ...nested } = stack
      ? await this.#dataOf(ctx, stack, stack.state, below)
      : ({} as JsonObject);
    return {
      ...nested,
      name: row.name,
      resource_id: row.physicalId,
      type: row.type,
      action: row.action,
      status: row.status,
      metadata:
        signals.length > 0 && isMap(metadata)
          ? { ...metadata, ...Object.fromEntries(signals) }
          : metadata,
      resource_data: this.sealed.openIfAny<JsonObject>(row.data, {}),
    };
  }
}

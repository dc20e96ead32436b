/**
 * A stack as data: what `abandon` and `export` give, what `adopt` takes, and what a snapshot holds.
 * Public source: Orchestration API reference, "Abandon stack".
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '../sealing/sealed-json.js';
import type { Stack } from '../stacks/stack.entity.js';
import { StackRepository } from '../stacks/stack.repository.js';
import { statusOf } from '../stacks/stack.states.js';
import type { Json, JsonObject } from '../template/json.js';
import { StackTemplates } from './stack-templates.js';

@Injectable()
export class StackExport {
  constructor(
    private readonly stacks: StackRepository,
    private readonly templates: StackTemplates,
    private readonly sealed: SealedJson,
  ) {}

  /** @param state as it is, or is about to be */
  async dataOf(ctx: RequestContext, stack: Stack, state = stack.state): Promise<JsonObject> {
    const { source } = await this.templates.summary(ctx, stack);
    const rows = await this.stacks.resources(ctx, stack.id);
    const resources = rows
      .filter(({ obsolete }) => !obsolete)
      .map((row): [string, JsonObject] => [
        row.name,
        {
          name: row.name,
          resource_id: row.physicalId,
          type: row.type,
          action: row.action,
          status: row.status,
          metadata: this.sealed.openIfAny<Json>(row.metadata, {}),
          resource_data: this.sealed.openIfAny<JsonObject>(row.data, {}),
        },
      ]);
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
}

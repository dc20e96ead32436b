/** Creations and adoptions of stacks. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Injectable } from '@nestjs/common';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { OrchestrationQuotas } from '../../quotas/orchestration-quotas.js';
import type { Stack, StackId } from '../../rows/stack.entity.js';
import type { ReadTemplate } from '../../template/read-template.js';
import type { AbandonedStack, NewStack } from '../stack-commands.js';
import { StackTemplates } from '../stack-templates.js';
import { ActionStart } from '../start-action.js';
import type { ActionData, AdoptedBelow, AdoptedResource } from '../stored.js';
import { countOf, NewTemplates } from './new-templates.js';
import { Trusts } from './trusts.js';

@Injectable()
export class CreateStack {
  constructor(
    private readonly newTemplates: NewTemplates,
    private readonly templates: StackTemplates,
    private readonly quotas: OrchestrationQuotas,
    private readonly trusts: Trusts,
    private readonly actions: ActionStart,
  ) {}

  /** @throws StackExistsError, TemplateError, PropertyError, QuotaExceededError */
  async create(ctx: RequestContext, request: NewStack): Promise<Stack> {
    return this.begin(ctx, request, 'CREATE', {});
  }

  /** Resources that the data lacks fail to be adopted. @param data from `abandon` */
  async adopt(ctx: RequestContext, request: NewStack, data: AbandonedStack): Promise<Stack> {
    return this.begin(ctx, request, 'ADOPT', { adopted: adoptedOf(data) });
  }

  private async begin(
    ctx: RequestContext,
    request: NewStack,
    action: 'CREATE' | 'ADOPT',
    data: ActionData,
  ): Promise<Stack> {
    const id = asId<StackId>(randomUUID());
    const { name } = request;
    const [template, userName] = await Promise.all([
      this.newTemplates.read(ctx, request, { id, name, projectId: ctx.projectId }),
      this.trusts.nameOfGiver(ctx),
    ]);
    return this.trusts.withNew(ctx, (trustId) =>
      inTransaction(ctx, async (tx) => {
        await this.quotas.claim(tx, { stacks: 1, resources_per_stack: countOf(template) });
        return this.insert(tx, request, template, { id, userName, action, trustId, data });
      }),
    );
  }

  private async insert(
    tx: RequestContext,
    request: NewStack,
    template: ReadTemplate,
    own: Pick<Stack, 'id' | 'userName' | 'action' | 'trustId'> & { data: ActionData },
  ): Promise<Stack> {
    const { id, userName, action, trustId, data } = own;
    const { name, timeoutMinutes = null, disableRollback = true, tags = [] } = request;
    const seconds = this.actions.secondsOf({ timeoutMinutes });
    return this.actions.first(tx, data, seconds, {
      id,
      rootId: id,
      name,
      action,
      trustId,
      timeoutMinutes,
      disableRollback,
      projectId: tx.projectId,
      userId: asId(tx.userId),
      userName,
      description: template.description,
      tags: [...tags],
      templateId: await this.templates.store(tx, template),
    });
  }
}

/** Nesting depth of adopted data, far above the quota. */
const MAX_DEPTH = 50;

/** With nested stacks. @throws InvalidInputError naming the resource that is malformed */
export function adoptedOf(data: JsonObject): Record<string, AdoptedResource> {
  return adoptedAt(data, [], 'resources');
}

function adoptedAt(
  { resources = {} }: JsonObject,
  above: readonly string[],
  path: string,
): Record<string, AdoptedResource> {
  if (!isMap(resources)) throw new InvalidInputError(`Invalid adopt data: ${path} is no map.`);
  if (above.length > MAX_DEPTH)
    throw new InvalidInputError(
      `Invalid adopt data: stacks are more than ${MAX_DEPTH} levels deep below ${above[0] ?? ''}.`,
    );
  const adopted = Object.entries(resources).flatMap(([name, one]): [string, AdoptedResource][] => {
    const own = `${path}.${name}`;
    if (!isMap(one)) throw new InvalidInputError(`Invalid adopt data: ${own} is no map.`);
    const below = belowOf(one, [...above, name], own);
    const { resource_id: id, resource_data: given = {}, metadata } = one;
    const physicalId = typeof id === 'string' && id !== '' ? id : null;
    if (physicalId === null && !below) return [];
    const data: Json = isMap(given) ? given : {};
    return [[name, { physicalId, data, metadata, ...(below ? { below } : {}) }]];
  });
  return Object.fromEntries(adopted);
}

function belowOf(
  one: JsonObject,
  above: readonly string[],
  path: string,
): AdoptedBelow | undefined {
  if (one['resources'] === undefined) return undefined;
  const { template = null } = one;
  return {
    template: isMap(template) ? template : undefined,
    resources: adoptedAt(one, above, `${path}.resources`),
  };
}

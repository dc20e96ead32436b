/** Stacks as mere rows, for tests of the API: commands to the engine are recorded and not run. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { shapeOf } from '@cumulet/common/database/rows';
import { Table } from '@cumulet/common/tables/table';
import type {
  NewStack,
  PreviewedChanges,
  PreviewedStack,
  ShownOutput,
  StackChange,
  TemplateSummary,
} from '../engine/stack-commands.js';
import type { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { StackSnapshot } from '../rows/stack-snapshot.entity.js';
import { StackResource } from '../rows/stack-resource.entity.js';
import { StackTemplate } from '../rows/stack-template.entity.js';
import type { Json, JsonObject } from '../json/json.js';
import { Stack } from '../rows/stack.entity.js';
import { EntityNotFoundError, StackExistsError } from '../rows/stack.errors.js';

const missing = (): EntityNotFoundError => new EntityNotFoundError('Row', '');
export const stackRows = new Table(Stack, {
  missing,
  refusals: { stacks_name_key: ({ name = '' }) => new StackExistsError(name) },
});
export const resourceRows = new Table(StackResource, { missing });
const templateRows = new Table(StackTemplate, { missing });
const snapshotRows = new Table(StackSnapshot, { missing });

const SUMMARY: Omit<TemplateSummary, 'source'> = {
  version: 'heat_template_version.2021-04-16',
  description: 'A stack of a test.',
  parameters: [
    {
      name: 'size',
      type: 'Number',
      label: 'size',
      description: '',
      constraints: {},
      hidden: false,
      immutable: false,
      tags: [],
      value: 3,
    },
    {
      name: 'password',
      type: 'String',
      label: 'password',
      description: '',
      constraints: {},
      hidden: true,
      immutable: false,
      tags: [],
      value: 'secret',
    },
  ],
  parameterGroups: [],
  outputs: { answer: { description: '', value: { kind: 'value', value: 42 }, asks: {} } },
  outputTypes: {},
  conditions: {},
};

/** Replaces the engine's commands. */
export class RecordedCommands {
  /** The name and arguments of each command. */
  readonly recorded: [string, ...unknown[]][] = [];
  /** The values of outputs and attributes. */
  readonly shownOutputs: ShownOutput[] = [{ name: 'answer', description: '', value: 42 }];

  constructor(private readonly sealed: SealedJson) {}

  async create(ctx: RequestContext, request: NewStack): Promise<Stack> {
    this.recorded.push(['create', request]);
    const id = asId<Stack['id']>(randomUUID());
    const source = {
      template: request.template,
      environment: { parameters: { size: 3, password: 'secret' } },
      files: request.files ?? {},
    };
    const template = await templateRows.insert(ctx, {
      id: asId<StackTemplate['id']>(randomUUID()),
      source: this.sealed.seal(source),
      summary: this.sealed.seal(SUMMARY),
    });
    return stackRows.insert(ctx, {
      id,
      rootId: id,
      projectId: ctx.projectId,
      name: request.name,
      userId: ctx.userId,
      userName: `name of ${ctx.userId}`,
      description: SUMMARY.description,
      action: 'CREATE',
      state: 'complete',
      stateReason: 'Stack CREATE completed successfully',
      templateId: template.id,
      timeoutMinutes: request.timeoutMinutes ?? null,
      disableRollback: request.disableRollback ?? true,
      tags: [...(request.tags ?? [])],
    });
  }

  adopt(ctx: RequestContext, request: NewStack, data: JsonObject): Promise<Stack> {
    this.recorded.push(['adopt', data]);
    return this.create(ctx, request);
  }

  async update(_ctx: RequestContext, stack: Stack, change: StackChange): Promise<Stack> {
    return this.#ask('update', stack, change);
  }

  async delete(ctx: RequestContext, { id }: Stack): Promise<void> {
    await stackRows.delete(ctx, id);
  }

  async templateOf({ manager }: RequestContext, stack: Stack): Promise<TemplateSummary> {
    const { columns, table } = shapeOf(manager, StackTemplate);
    const sql = `SELECT ${columns} FROM ${table} WHERE id = $1`;
    const [row]: StackTemplate[] = await manager.query(sql, [stack.templateId]);
    return { ...SUMMARY, source: this.sealed.open((row as StackTemplate).source) };
  }

  async snapshot(ctx: RequestContext, stack: Stack, name: string | null): Promise<StackSnapshot> {
    return snapshotRows.insert(ctx, {
      id: asId<StackSnapshot['id']>(randomUUID()),
      stackId: stack.id,
      projectId: stack.projectId,
      name,
      status: 'COMPLETE',
      data: this.sealed.seal({ name: stack.name }),
    });
  }

  async remove(ctx: RequestContext, _stack: Stack, id: string): Promise<void> {
    await snapshotRows.delete(ctx, id);
  }

  outputs(): Promise<readonly ShownOutput[]> {
    return Promise.resolve(this.shownOutputs);
  }

  metadataOf(_ctx: RequestContext, { metadata }: StackResource): Promise<Json> {
    return Promise.resolve(this.sealed.openIfAny<Json>(metadata, {}));
  }

  attributesOf(
    _ctx: RequestContext,
    { name }: StackResource,
    names: readonly string[] = ['output'],
  ): Promise<JsonObject> {
    return Promise.resolve(Object.fromEntries(names.map((one) => [one, `${one} of ${name}`])));
  }

  previewCreate(): Promise<PreviewedStack> {
    const source = { template: {}, environment: {}, files: {} };
    const template = { ...SUMMARY, source, resources: {}, questions: [] };
    const one = (name: string): PreviewedStack['resources'][number] => ({
      name,
      type: 'OS::Neutron::Net',
      physicalId: null,
      requiredBy: [],
      properties: {},
      metadata: {},
      description: '',
    });
    const resources = [{ ...one('main'), nested: [one('inner')] }];
    return Promise.resolve({ template, resources, userName: 'somebody' });
  }

  previewUpdate(): Promise<PreviewedChanges> {
    return Promise.resolve({ unchanged: [], updated: [], replaced: [], added: [], deleted: [] });
  }

  abandon(ctx: RequestContext, stack: Stack): Promise<JsonObject> {
    return this.delete(ctx, stack).then(() => ({ name: stack.name }));
  }

  dataOf(_ctx: RequestContext, { name }: Stack): Promise<JsonObject> {
    return Promise.resolve({ name });
  }

  async act(_ctx: RequestContext, stack: Stack, action: string): Promise<void> {
    await this.#ask(action.toLowerCase(), stack);
  }

  async cancelUpdate(_ctx: RequestContext, stack: Stack): Promise<void> {
    await this.#ask('cancelUpdate', stack);
  }

  async cancelWithoutRollback(_ctx: RequestContext, stack: Stack): Promise<void> {
    await this.#ask('cancelWithoutRollback', stack);
  }

  async restore(_ctx: RequestContext, stack: Stack, { id }: StackSnapshot): Promise<void> {
    await this.#ask('restore', stack, id);
  }

  async markUnhealthy(
    _ctx: RequestContext,
    stack: Stack,
    { name }: StackResource,
    isUnhealthy: boolean,
    reason: string | null,
  ): Promise<void> {
    await this.#ask('markUnhealthy', stack, name, isUnhealthy, reason);
  }

  signal({ projectId }: RequestContext, { name }: StackResource, details: Json): Promise<void> {
    this.recorded.push(['signal', projectId, name, details]);
    return Promise.resolve();
  }

  #ask(name: string, stack: Stack, ...said: unknown[]): Promise<Stack> {
    this.recorded.push([name, ...said]);
    return Promise.resolve(stack);
  }
}

/** The nested stack of one resource, as its type sees it. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type {
  NestedOutputs,
  NestedResource,
  NestedStack,
  NestedStacks,
  NestedTemplate,
} from '../../resource-types/resource-type.js';
import { findResourceType } from '../../resource-types/registry.js';
import { ReplacementNeeded } from '../../resource-types/resource-type.errors.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { Stack, StackId } from '../../rows/stack.entity.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import { statusOf, type StackAction } from '../../rows/stack.states.js';
import { childEnvironment } from '../../template/environment/derived-environment.js';
import { environmentJson, environmentOf } from '../../template/environment/environment.js';
import { ResourceRegistry } from '../../template/environment/registry.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import type {
  Facade,
  PseudoParameters,
  ReadTemplate,
  ResourceDefinition,
  TemplateSource,
} from '../../template/read-template.js';
import { isSameJson } from '../../json/same-json.js';
import { StackValidationFailedError } from '../../template/template.errors.js';
import { TemplateReader } from '../../template/template-reader.js';
import { ReadStack } from '../commands/read-stack.js';
import { physicalName } from '../goals/resource-tools.js';
import { StackTemplates } from '../stack-templates.js';
import type { ActionData, AdoptedBelow, Frozen } from '../stored.js';
import { NestedStackFactory } from '../engine-ports.js';
import { NestedStackRows } from './nested-stack-rows.js';
import type { Properties } from '../../constraints/property-schema.js';

@Injectable()
export class OwnNestedStacks extends NestedStackFactory {
  constructor(
    readonly rows: NestedStackRows,
    readonly stacks: StackWorkRepository,
    readonly templates: StackTemplates,
    readonly reader: TemplateReader,
    readonly sealed: SealedJson,
    private readonly modules: ModuleRef,
  ) {
    super();
  }

  /** Resolved late: reading attributes needs nested stacks, and nested stacks show attributes. */
  get reading(): ReadStack {
    return this.modules.get(ReadStack, { strict: false });
  }

  of(ctx: RequestContext, row: LoadedResource, frozen: Frozen): NestedStacks {
    return new NestedStackOfRow(this, ctx, row, frozen);
  }
}

class NestedStackOfRow implements NestedStacks {
  constructor(
    private readonly parts: OwnNestedStacks,
    private readonly ctx: RequestContext,
    private readonly row: LoadedResource,
    private readonly frozen: Frozen,
  ) {}

  async create(template: NestedTemplate): Promise<string> {
    const { parts, ctx, row } = this;
    const known = await parts.rows.find(ctx, row);
    if (known) return known.id;
    const id = asId<StackId>(randomUUID());
    const name = physicalName(row);
    const left = await this.#left();
    const own = { ...template, template: left?.template ?? template.template };
    const read = await this.#read(own, { id, name, projectId: row.projectId });
    const stack = { id, name, adopted: left?.resources };
    await parts.rows.insert(ctx, row, stack, read, this.#facade());
    return id;
  }

  /** The data to adopt, if the stack above is adopted. */
  async #left(): Promise<AdoptedBelow | undefined> {
    const { parts, ctx, row } = this;
    if (row.stackAction !== 'ADOPT' || !row.hasActionData) return undefined;
    const above = await parts.stacks.find(ctx, row.stackId);
    const { adopted } = parts.sealed.openIfAny<ActionData>(above?.actionData ?? null, {});
    return ownOf(adopted ?? {}, row.name)?.below;
  }

  /** Idempotent for the same template. @throws ReplacementNeeded if the stack is gone */
  async update(template: NestedTemplate): Promise<void> {
    const { parts, ctx, row } = this;
    const stack = await this.#find();
    if (!stack) throw new ReplacementNeeded('the stack below is gone');
    const { id, name, projectId } = stack;
    const read = await this.#read(template, { id, name, projectId });
    const { source } = await parts.templates.summary(ctx, stack);
    const isUnchanged = isSameJson(source, read.source);
    const isSettled = isUnchanged && stack.state !== 'failed' && isApplied(stack.action);
    if (isSettled && (stack.state === 'in_progress' || !(await parts.stacks.hasMarked(ctx, id))))
      return;
    await parts.rows.update(ctx, row, stack, read, this.#facade());
  }

  async remove(): Promise<void> {
    const stack = await this.#find();
    if (!stack || (stack.action === 'DELETE' && stack.state === 'in_progress')) return;
    await this.parts.rows.act(this.ctx, this.row, stack, 'DELETE');
  }

  async find(): Promise<NestedStack | undefined> {
    const stack = await this.#find();
    if (!stack) return undefined;
    const { id, action, state, stateReason } = stack;
    return { id, action, status: statusOf(state), reason: stateReason ?? '' };
  }

  suspend(): Promise<void> {
    return this.#act('SUSPEND');
  }

  resume(): Promise<void> {
    return this.#act('RESUME');
  }

  check(): Promise<void> {
    return this.#act('CHECK');
  }

  async outputs(): Promise<NestedOutputs> {
    const outputs = await this.parts.reading.outputs(this.ctx, await this.#get());
    return {
      values: Object.fromEntries(outputs.map(({ name, value }) => [name, value])),
      errors: Object.fromEntries(
        outputs.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error]])),
      ),
    };
  }

  async resources(): Promise<readonly NestedResource[]> {
    const { parts, ctx } = this;
    const stack = await this.#find();
    if (!stack) return [];
    const all = await parts.stacks.resources(ctx, stack.id);
    return all
      .filter(({ obsolete }) => !obsolete)
      .map((row) => ({
        id: row.id,
        name: row.name,
        physicalId: row.physicalId,
        action: row.action,
        status: row.status,
        createdAt: row.createdAt,
        data: parts.sealed.openIfAny<JsonObject>(row.data, {}),
        metadata: parts.sealed.openIfAny<Json>(row.metadata, {}),
        reference: () =>
          row.reference === null ? (row.physicalId ?? row.name) : parts.sealed.open(row.reference),
        attributes: (names) => parts.reading.attributesOf(ctx, row, names),
      }));
  }

  /** @throws StackValidationFailedError if the file is not among the stack's files */
  async template(properties: Properties): Promise<NestedTemplate> {
    const { parts, ctx, row } = this;
    const definition = parts.sealed.open<ResourceDefinition>(definitionOf(row));
    const { implementation, name, type } = definition;
    const above = await parts.stacks.find(ctx, row.stackId);
    if (!above || implementation.kind !== 'template')
      throw new StackValidationFailedError('It is made of no template.', `resources.${name}`);
    const { source } = await parts.templates.summary(ctx, above);
    const text = ownOf(source.files, implementation.file);
    if (text === undefined)
      throw new StackValidationFailedError(
        `Could not fetch remote template "${implementation.file}": it is not among the files.`,
        `resources.${name}`,
      );
    const given = Object.entries(properties).filter(([, value]) => value !== null);
    const surrounding = environmentOf(source.environment);
    const { registry } = surrounding;
    const { path } = new ResourceRegistry({ registry, files: source.files, isType }).find(
      type,
      name,
    );
    const environment = childEnvironment(surrounding, {
      resource: name,
      parameters: Object.fromEntries(given),
      path,
    });
    return { template: text, environment: environmentJson(environment), files: source.files };
  }

  async source(): Promise<TemplateSource | undefined> {
    const stack = await this.#find();
    return stack && (await this.parts.templates.summary(this.ctx, stack)).source;
  }

  async surroundings(): Promise<Required<Pick<NestedTemplate, 'environment' | 'files'>>> {
    const { parts, ctx, row } = this;
    const above = await parts.stacks.find(ctx, row.stackId);
    if (!above) return { environment: {}, files: {} };
    const { source } = await parts.templates.summary(ctx, above);
    const child = { resource: row.name, parameters: {}, path: [] };
    const environment = childEnvironment(environmentOf(source.environment), child);
    return { environment: environmentJson(environment), files: source.files };
  }

  async #act(action: StackAction): Promise<void> {
    const stack = await this.#get();
    if (stack.action === action && stack.state === 'in_progress') return;
    await this.parts.rows.act(this.ctx, this.row, stack, action);
  }

  #find(): Promise<Stack | undefined> {
    return this.parts.rows.find(this.ctx, this.row);
  }

  async #get(): Promise<Stack> {
    const stack = await this.#find();
    if (stack) return stack;
    throw new StackValidationFailedError('The stack below is gone.', `resources.${this.row.name}`);
  }

  async #read(given: NestedTemplate, stack: PseudoParameters): Promise<ReadTemplate> {
    const { parts, ctx, row } = this;
    const { template, environment, files, parameters } = given;
    const above = await parts.stacks.find(ctx, row.stackId);
    const zones = above && (await parts.templates.summary(ctx, above)).zones;
    return parts.reader.read({
      template,
      environment,
      files,
      parameters,
      stack,
      zones,
      facade: this.#facade(),
      constraints: 'known',
    });
  }

  #facade(): Facade {
    const { deletionPolicy } = this.parts.sealed.open<ResourceDefinition>(definitionOf(this.row));
    const { metadata, updatePolicy } = this.frozen;
    return { deletionPolicy, metadata, updatePolicy };
  }
}

/** A creation that was begun is finished with its own definition. */
function definitionOf({ properties, definition, formerDefinition }: LoadedResource): string {
  return properties === null ? (formerDefinition ?? definition) : definition;
}

function isApplied(action: StackAction): boolean {
  return !['DELETE', 'ROLLBACK'].includes(action);
}

function isType(name: string): boolean {
  return findResourceType(name) !== undefined;
}

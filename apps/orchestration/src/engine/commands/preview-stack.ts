/** Previews of creations and updates. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ResourceType } from '../../resource-types/resource-type.js';
import { PropertyChecks } from '../../template/properties/check-properties.js';
import type { StackResource } from '../../rows/stack-resource.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import type { Expression, References } from '../../template/expression.js';
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type {
  PseudoParameters,
  ReadTemplate,
  ResourceDefinition,
  TemplateSource,
} from '../../template/read-template.js';
import { isSame } from '../../json/same-json.js';
import { TemplateError } from '../../template/template.errors.js';
import { ResourceTools } from '../goals/resource-tools.js';
import type {
  ChangeOfResource,
  NewStack,
  PreviewedChanges,
  PreviewedResource,
  PreviewedStack,
  StackChange,
} from '../stack-commands.js';
import { ChangeStack } from './change-stack.js';
import { NewTemplates } from './new-templates.js';
import { PropertyError } from '../../constraints/property.errors.js';

@Injectable()
export class PreviewStack {
  constructor(
    private readonly newTemplates: NewTemplates,
    private readonly stacks: StackWorkRepository,
    private readonly tools: ResourceTools,
    private readonly changing: ChangeStack,
  ) {}

  /** Checks as `create` does, and creates nothing. */
  async previewCreate(ctx: RequestContext, request: NewStack): Promise<PreviewedStack> {
    const { name } = request;
    const stack = { id: randomUUID(), name, projectId: ctx.projectId };
    const [template, userName] = await Promise.all([
      this.newTemplates.read(ctx, { ...request, showsNested: true }, stack),
      this.tools.ports.userName(ctx),
    ]);
    return { template, resources: await this.all(template, stack), userName };
  }

  /** With the resources of nested stacks, as far as they are known. */
  private all(template: ReadTemplate, stack: PseudoParameters): Promise<PreviewedResource[]> {
    const shown = Object.values(template.resources).map(async (definition) => {
      const one = this.shown(definition, template);
      const nested = await this.below(definition, one, template, stack);
      return nested === undefined ? one : { ...one, nested };
    });
    return Promise.all(shown);
  }

  private async below(
    definition: ResourceDefinition,
    { properties }: PreviewedResource,
    { nested, source }: ReadTemplate,
    stack: PseudoParameters,
  ): Promise<PreviewedResource[] | undefined> {
    const template = ownOf(nested ?? {}, definition.name);
    if (template) return this.all(template, stack);
    const members = this.tools.typeOf(definition).members?.(properties);
    if (members === undefined) return undefined;
    const shown = Object.entries(members).map(([name, member]) =>
      this.member(name, member, source, stack),
    );
    return Promise.all(shown);
  }

  private async member(
    name: string,
    { type = '', properties = {}, metadata = {} }: JsonObject,
    { files }: TemplateSource,
    stack: PseudoParameters,
  ): Promise<PreviewedResource> {
    const given = isMap(properties) ? properties : {};
    const expression: Expression = { kind: 'value', value: given };
    const found = typeof type === 'string' ? this.tools.ports.typeOf(type) : undefined;
    const one: PreviewedResource = {
      name,
      type: typeof type === 'string' ? type : '',
      physicalId: null,
      requiredBy: [],
      properties: this.propertiesOf(found, expression),
      metadata,
      description: '',
    };
    const text = ownOf(files, one.type);
    if (text === undefined) return one;
    const template = await this.newTemplates.readPart({ template: text, files }, given, stack);
    return template ? { ...one, nested: await this.all(template, stack) } : one;
  }

  async previewUpdate(
    ctx: RequestContext,
    stack: Stack,
    change: StackChange,
  ): Promise<PreviewedChanges> {
    const { after: template } = await this.changing.read(ctx, stack, change);
    const all = await this.stacks.resources(ctx, stack.id);
    const rows = new Map(all.filter(({ obsolete }) => !obsolete).map((row) => [row.name, row]));
    const changes: Record<ChangeOfResource, PreviewedResource[]> = {
      unchanged: [],
      updated: [],
      replaced: [],
      added: [],
      deleted: [],
    };
    for (const definition of Object.values(template.resources)) {
      const row = rows.get(definition.name);
      const shown = this.shown(definition, template, row);
      changes[row ? this.changeOf(row, definition) : 'added'].push(shown);
    }
    for (const row of rows.values()) {
      if (Object.hasOwn(template.resources, row.name)) continue;
      changes.deleted.push(this.shown(this.tools.definitionOf(row), template, row));
    }
    return changes;
  }

  /** Compares the definitions; values that references resolve to may change as well. */
  private changeOf(row: StackResource, after: ResourceDefinition): ChangeOfResource {
    const before = this.tools.definitionOf(row);
    const type = this.tools.typeOf(after);
    if (!isSame(before.implementation, after.implementation)) return 'replaced';
    const changed = changedNames(before.properties, after.properties);
    if (row.status === 'FAILED') return type.updatesFailed === true ? 'updated' : 'replaced';
    if (changed.length === 0)
      return isSame(before.metadata, after.metadata) ? 'unchanged' : 'updated';
    const isInPlace =
      type.acceptsAnyProperty === true || changed.every((name) => type.properties[name]?.updatable);
    return isInPlace && type.update ? 'updated' : 'replaced';
  }

  private shown(
    definition: ResourceDefinition,
    { resources }: ReadTemplate,
    row?: StackResource,
  ): PreviewedResource {
    const { name, type, properties, metadata, description } = definition;
    const known = this.tools.typeOf(definition);
    return {
      name,
      type,
      physicalId: row?.physicalId ?? null,
      description,
      requiredBy: Object.values(resources)
        .filter(({ requires }) => requires.includes(name))
        .map((one) => one.name),
      properties: this.propertiesOf(known, properties),
      metadata: this.known(metadata),
    };
  }

  private propertiesOf(type: ResourceType | undefined, given: Expression): JsonObject {
    const known = this.known(given);
    const shown = isMap(known) ? known : {};
    if (type === undefined || type.acceptsAnyProperty === true) return shown;
    try {
      const { properties } = new PropertyChecks().check(type.properties, given);
      const whole = Object.entries(properties).map(([name, value]) => [
        name,
        value ?? shown[name] ?? null,
      ]);
      return Object.fromEntries(whole) as JsonObject;
    } catch (error) {
      if (error instanceof PropertyError) return shown;
      throw error;
    }
  }

  private known(expression: Expression): Json {
    switch (expression.kind) {
      case 'value':
        return expression.value;
      case 'list':
        return expression.items.map((item) => this.known(item));
      case 'map':
        return Object.fromEntries(
          Object.entries(expression.entries).map(([key, item]) => [key, this.known(item)]),
        );
      case 'call':
        return this.knownCall(expression);
    }
  }

  private knownCall(expression: Expression): Json {
    try {
      return this.tools.ports.evaluate(expression, NOT_YET);
    } catch (error) {
      if (error instanceof TemplateError) return null;
      throw error;
    }
  }
}

const NOT_YET: References = { referenceOf: unknown, attributeOf: unknown };

function unknown(): never {
  throw new TemplateError('It is not known before the resource is there.');
}

function changedNames(before: Expression, after: Expression): string[] {
  if (before.kind !== 'map' || after.kind !== 'map')
    return isSame(before, after) ? [] : [...keysOf(before), ...keysOf(after)];
  const names = new Set([...Object.keys(before.entries), ...Object.keys(after.entries)]);
  return [...names].filter(
    (name) => !isSame(ownOf(before.entries, name), ownOf(after.entries, name)),
  );
}

function keysOf(one: Expression): string[] {
  if (one.kind === 'map') return Object.keys(one.entries);
  return one.kind === 'value' && isMap(one.value) ? Object.keys(one.value) : [''];
}

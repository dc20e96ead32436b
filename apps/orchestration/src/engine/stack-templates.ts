/** Templates of stacks: stored, and read again when a stack is planned. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { StackTemplate, StackTemplateId } from '../rows/stack-template.entity.js';
import { findTemplate, insertTemplate } from '../rows/stack-template.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { ownOf } from '../json/json.js';
import type { Facade, ReadTemplate, TemplateSource } from '../template/read-template.js';
import { referencesOf } from '../template/references-of.js';
import { TemplateReader } from '../template/template-reader.js';
import { implementationOf } from '../resource-types/nested-type.js';
import type { TemplateSummary } from './stack-commands.js';

/** A stored template without its source. */
interface StoredSummary extends Omit<TemplateSummary, 'source'> {
  readonly facade?: Facade | undefined;
  readonly zones?: readonly string[] | undefined;
}

@Injectable()
export class StackTemplates {
  constructor(
    private readonly stacks: StackWorkRepository,
    private readonly reader: TemplateReader,
    private readonly sealed: SealedJson,
  ) {}

  async store(
    ctx: RequestContext,
    template: ReadTemplate,
    facade?: Facade,
  ): Promise<StackTemplateId> {
    const id = asId<StackTemplateId>(randomUUID());
    const { source, version, description, parameters, parameterGroups, outputs } = template;
    const { conditions, zones } = template;
    const outputTypes = outputTypesOf(template);
    const storedSummary: StoredSummary = {
      version,
      description,
      parameters,
      parameterGroups,
      outputs,
      conditions,
      facade,
      zones,
      outputTypes,
    };
    await insertTemplate(ctx, {
      id,
      source: this.sealed.seal(source),
      summary: this.sealed.seal(storedSummary),
      outputResources: Object.keys(outputTypes),
    });
    return id;
  }

  /** Values are not validated again. */
  async read(ctx: RequestContext, stack: Stack): Promise<ReadTemplate> {
    const { source, facade, zones } = await this.summary(ctx, stack);
    const { id, name, projectId } = stack;
    const pseudo = { id, name, projectId };
    return this.reader.read({ ...source, stack: pseudo, facade, zones, constraints: 'none' });
  }

  /** The current one, if an update has replaced it since the stack was read. */
  async summary(
    ctx: RequestContext,
    { id, templateId }: Pick<Stack, 'id' | 'templateId'>,
  ): Promise<StoredSummary & TemplateSummary> {
    const row = await this.current(ctx, { id, templateId });
    const source = this.sealed.open<TemplateSource>(row.source);
    return { ...this.sealed.open<StoredSummary>(row.summary), source };
  }

  /** Without the source, which may be large. */
  async storedSummary(
    ctx: RequestContext,
    stack: Pick<Stack, 'id' | 'templateId'>,
  ): Promise<StoredSummary> {
    return this.sealed.open<StoredSummary>((await this.current(ctx, stack)).summary);
  }

  private async current(
    ctx: RequestContext,
    { id, templateId }: Pick<Stack, 'id' | 'templateId'>,
  ): Promise<StackTemplate> {
    const row = await findTemplate(ctx, templateId);
    if (row) return row;
    const stack = await this.stacks.find(ctx, id);
    const current = stack && (await findTemplate(ctx, stack.templateId));
    if (current) return current;
    throw new EntityNotFoundError('Stack', id);
  }
}

function outputTypesOf({
  outputs,
  resources,
}: Pick<ReadTemplate, 'outputs' | 'resources'>): Record<string, string> {
  const named = Object.values(outputs).flatMap(({ value }) => referencesOf(value));
  return Object.fromEntries(
    [...new Set(named.map(({ resource }) => resource))].flatMap((name) => {
      const definition = ownOf(resources, name);
      return definition === undefined ? [] : [[name, implementationOf(definition)]];
    }),
  );
}

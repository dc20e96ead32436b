/** What stacks show of themselves besides their rows: outputs, and attributes as they are now. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { StackResource } from '../../rows/stack-resource.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { HiddenValues } from '../../template/parameters/hidden-values.js';
import { referencesOf } from '../../template/references-of.js';
import { isSame } from '../../json/same-json.js';
import { ResourceTools } from '../goals/resource-tools.js';
import { referencesTo, withoutNotes } from '../../template/evaluate.js';
import type { KnownOutputs, ShownOutput, TemplateSummary } from '../stack-commands.js';
import { StackTemplates } from '../stack-templates.js';
import { LiveAttributes } from './live-attributes.js';

@Injectable()
export class ReadStack {
  constructor(
    private readonly tools: ResourceTools,
    private readonly templates: StackTemplates,
    private readonly live: LiveAttributes,
  ) {}

  /** What of the stack's template is known without reading it again. */
  async templateOf(ctx: RequestContext, stack: Stack): Promise<TemplateSummary> {
    return this.templates.summary(ctx, stack);
  }

  /**
   * Reads those resources that the outputs name, however many the stack has.
   * @param known where the caller has it already
   */
  async outputs(ctx: RequestContext, stack: Stack, known?: KnownOutputs): Promise<ShownOutput[]> {
    const found = known ?? (await this.#known(ctx, stack));
    const { outputs, parameters } = found;
    const references = referencesTo(await this.live.referred(ctx, found));
    return Object.entries(outputs).map(([name, { description, value }]) => {
      try {
        return { name, description, value: this.tools.ports.evaluate(value, references) };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return {
          name,
          description,
          value: null,
          error: new HiddenValues(parameters).without(error.message),
        };
      }
    });
  }

  async #known(ctx: RequestContext, stack: Stack): Promise<KnownOutputs> {
    const kept = await this.templates.kept(ctx, stack);
    const names = Object.keys(kept.outputTypes);
    return { ...kept, resources: await this.tools.rows.current(ctx, stack.id, names) };
  }

  /** As the template says them by what it refers to now, unless signals have made them others; with those that are kept. */
  async metadataOf(ctx: RequestContext, row: StackResource): Promise<Json> {
    const { tools } = this;
    const kept = tools.sealed.openIfAny<Json>(row.metadata, {});
    const { definition, type } = tools.kindOf(row);
    if (type.keepSignal) {
      const signals = await tools.signals.read(ctx, row.id);
      return { ...(isMap(kept) ? kept : {}), ...Object.fromEntries(signals) };
    }
    const { metadata, asks } = definition;
    const names = new Set(referencesOf(metadata).map(({ resource }) => resource));
    const settled = tools.frozenOf(row.properties)?.metadata;
    if (names.size === 0 || !isSame(settled, kept)) return kept;
    const resources = await tools.rows.current(ctx, row.stackId, [...names]);
    const outputTypes = await this.#typesOf(ctx, resources);
    try {
      const asking = { outputs: { metadata: { asks } }, outputTypes, resources };
      const references = referencesTo(await this.live.referred(ctx, asking));
      return tools.ports.evaluate(metadata, references);
    } catch (error) {
      if (error instanceof DomainError) return kept;
      throw error;
    }
  }

  async #typesOf(
    ctx: RequestContext,
    resources: KnownOutputs['resources'],
  ): Promise<Record<string, string>> {
    const types = resources.map(async ({ id, name }) => {
      const row = await this.tools.rows.load(ctx, id);
      return [name, row ? this.tools.kindOf(row).type.name : ''] as const;
    });
    return Object.fromEntries(await Promise.all(types));
  }

  /**
   * As its service has them now: one that it cannot tell is null.
   * @param names by default all of its type's
   */
  async attributesOf(
    ctx: RequestContext,
    { id }: StackResource,
    names?: readonly string[],
  ): Promise<JsonObject> {
    const row = await this.tools.rows.load(ctx, id);
    if (!row || row.properties === null) return {};
    const type = this.tools.kindOf(row).type;
    const scope = this.tools.existing(ctx, row, new AbortController().signal);
    return withoutNotes(
      await this.tools.attributesOf(type, scope, names ?? Object.keys(type.attributes)),
    );
  }
}

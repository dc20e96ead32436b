/** Outputs, metadata and current attributes of stacks. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Injectable } from '@nestjs/common';
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import type { ResourceType } from '../../resource-types/resource-type.js';
import type { StackResource } from '../../rows/stack-resource.entity.js';
import type { Stack } from '../../rows/stack.entity.js';
import { referencesTo, withoutNotes, type Referred } from '../../template/evaluate.js';
import { ALL_ATTRIBUTES } from '../../template/expression.js';
import { HiddenValues } from '../../template/parameters/hidden-values.js';
import type { OutputDefinition } from '../../template/read-template.js';
import { referencesOf } from '../../template/references-of.js';
import { ResourceTools } from '../goals/resource-tools.js';
import type { KnownOutputs, ShownOutput, TemplateSummary } from '../stack-commands.js';
import { StackTemplates } from '../stack-templates.js';

/**
 * Attributes that change while their resource does not, such as a pool's members, are read from their
 * service whenever an output is shown. Public source: heat, `engine/attributes.py`, `CACHE_NONE`.
 *
 * Always holds: an unreachable service delays an answer by a few seconds at most, and the last known
 * value is shown instead. Attributes that cannot change cost no statement, because stacks are read
 * often.
 */
@Injectable()
export class LiveAttributes {
  constructor(private readonly tools: ResourceTools) {}

  /** The resources of a stack that outputs and metadata refer to. */
  async referred(
    ctx: RequestContext,
    { outputs, outputTypes, resources }: LiveQuestion,
  ): Promise<Referred[]> {
    const asked = attributesReferredTo(Object.values(outputs));
    let signal: AbortSignal | undefined;
    return Promise.all(
      resources.map(async (row) => {
        const referred = this.tools.referred(row);
        const names = asked.get(row.name);
        const type = this.tools.ports.typeOf(ownOf(outputTypes, row.name) ?? '');
        if (!names || !type || row.attributes === null) return referred;
        if (liveOf(type, names).length === 0) return referred;
        signal ??= AbortSignal.timeout(LIMIT_MS);
        const now = await this.#now(ctx, row.id, { names, signal });
        return { ...referred, attributes: { ...referred.attributes, ...now } };
      }),
    );
  }

  async #now(ctx: RequestContext, id: string, { names, signal }: Question): Promise<JsonObject> {
    const row = await this.tools.rows.load(ctx, id);
    if (!row || row.properties === null) return {};
    // An update to another type may not have reached it yet.
    const { type } = this.tools.kindOf(row);
    const live = liveOf(type, names);
    if (live.length === 0) return {};
    try {
      return await this.tools.attributesOf(type, this.tools.existing(ctx, row, signal), live);
    } catch (error) {
      if (signal.aborted || (error instanceof DomainError && error.kind !== 'bug')) return {};
      throw error;
    }
  }
}

@Injectable()
export class ReadStack {
  constructor(
    private readonly tools: ResourceTools,
    private readonly templates: StackTemplates,
    private readonly live: LiveAttributes,
  ) {}

  async templateOf(ctx: RequestContext, stack: Stack): Promise<TemplateSummary> {
    return this.templates.summary(ctx, stack);
  }

  /** Reads only resources that outputs name. @param known if the caller has read them already */
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
    const kept = await this.templates.storedSummary(ctx, stack);
    const names = Object.keys(kept.outputTypes);
    return { ...kept, resources: await this.tools.rows.current(ctx, stack.id, names) };
  }

  /**
   * Evaluated from the template with current values, unless signals replaced it; with stored signals.
   */
  async metadataOf(ctx: RequestContext, row: StackResource): Promise<Json> {
    const { tools } = this;
    const kept = tools.sealed.openIfAny<Json>(row.metadata, {});
    const { definition, type } = tools.kindOf(row);
    if (type.parseSignal) {
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

  /** Current values; null for a missing one. @param names by default all of the type's */
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

const LIMIT_MS = 5_000;

type Referrer = Pick<OutputDefinition, 'asks'>;

interface LiveQuestion extends Pick<KnownOutputs, 'outputTypes' | 'resources'> {
  readonly outputs: Readonly<Record<string, Referrer>>;
}

interface Question {
  readonly names: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

function attributesReferredTo(
  referrers: readonly Referrer[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>();
  for (const { asks } of referrers)
    for (const [name, attributes] of Object.entries(asks)) {
      const known = asked.get(name) ?? new Set();
      asked.set(name, known);
      for (const one of attributes) known.add(one);
    }
  return asked;
}

/** All of a group that can be resized; otherwise the declared live ones, and `show`. */
function liveOf(type: ResourceType, names: ReadonlySet<string>): readonly string[] {
  if (type.adjust) return [...names];
  const live = Object.entries(type.attributes).flatMap(([name, { isLive }]) =>
    isLive === true && (names.has(name) || names.has(ALL_ATTRIBUTES)) ? [name] : [],
  );
  const isShown = names.has('show') && !Object.hasOwn(type.attributes, 'show');
  return isShown ? [...live, 'show'] : live;
}

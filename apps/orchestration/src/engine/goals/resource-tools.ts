/** The tools that the steps of all goals share: values of definitions, and scopes for types. */
import { createHash } from 'node:crypto';
import { asService, throughTrust, type Actor } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '../../json/json.js';
import { implementationOf } from '../../resource-types/nested-type.js';
import { TypedFailure } from '../../resource-types/resource-type.errors.js';
import type {
  ExistingScope,
  ResourceFacts,
  ResourceScope,
  ResourceType,
  SnapshotScope,
} from '../../resource-types/resource-type.js';
import { ResourceSignalRepository } from '../../rows/resource-signal.repository.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import {
  StackResourceRepository,
  type OtherResource,
  type RequiredResource,
} from '../../rows/stack-resource.repository.js';
import type { Stack } from '../../rows/stack.entity.js';
import { referencesTo, STEPS_TO_MEMBERS, type Referred } from '../../template/evaluate.js';
import type { Expression } from '../../template/expression.js';
import { HiddenValues } from '../../template/parameters/hidden-values.js';
import type { ReadTemplate, ResourceDefinition } from '../../template/read-template.js';
import { TemplateError } from '../../template/template.errors.js';
import { EnginePorts, NestedStackFactory } from '../engine-ports.js';
import { SignalAddresses } from '../signal-address.js';
import type { Frozen } from '../stored.js';
import { deliver } from './deliver.js';

export interface Kind {
  readonly definition: ResourceDefinition;
  readonly type: ResourceType;
}

type Defined = Pick<LoadedResource, 'definition' | 'formerDefinition'>;

const NOTHING: Frozen = { properties: {}, metadata: {}, updatePolicy: {} };

const GROUP_CHANGES = 'No action is required: the group is changing.';

@Injectable()
export class ResourceTools {
  /** By row and sealed definition. */
  readonly #kinds = new WeakMap<object, Map<string, Kind>>();

  constructor(
    readonly rows: StackResourceRepository,
    readonly sealed: SealedJson,
    readonly ports: EnginePorts,
    private readonly nested: NestedStackFactory,
    private readonly addresses: SignalAddresses,
    readonly signals: ResourceSignalRepository,
    private readonly stacks: StackWorkRepository,
  ) {}

  /** The present definition: an update may not have reached the row yet. */
  definitionOf(row: Defined): ResourceDefinition {
    return this.sealed.open<ResourceDefinition>(row.formerDefinition ?? row.definition);
  }

  /** @throws TemplateError for a type that this service no longer has */
  typeOf(definition: Pick<ResourceDefinition, 'implementation' | 'type'>): ResourceType {
    const found = this.ports.typeOf(implementationOf(definition));
    if (!found)
      throw new TemplateError(`The Resource Type (${definition.type}) could not be found.`);
    return found;
  }

  /** The kind of the wanted definition. @throws TemplateError */
  wantedKindOf(row: Pick<LoadedResource, 'definition'>): Kind {
    return this.#kindOf(row, row.definition);
  }

  /** The kind of the present definition, if the resource exists or is begun. @throws TemplateError */
  kindOf(row: Defined): Kind {
    return this.#kindOf(row, row.formerDefinition ?? row.definition);
  }

  #kindOf(row: object, sealed: string): Kind {
    const known = this.#kinds.get(row) ?? new Map<string, Kind>();
    this.#kinds.set(row, known);
    const found = known.get(sealed);
    if (found) return found;
    const definition = this.sealed.open<ResourceDefinition>(sealed);
    const kind = { definition, type: this.typeOf(definition) };
    known.set(sealed, kind);
    return kind;
  }

  frozenOf(sealed: string | null): Frozen | undefined {
    return sealed === null ? undefined : this.sealed.open<Frozen>(sealed);
  }

  /** Of the stack and its owners, before the action and after. */
  async hiddenOf(ctx: RequestContext, stackId: string): Promise<HiddenValues> {
    const summaries = await this.stacks.summariesOfOwners(ctx, stackId);
    return new HiddenValues(
      summaries.flatMap(
        (one) => this.sealed.open<Pick<ReadTemplate, 'parameters'>>(one).parameters,
      ),
    );
  }

  /** Evaluates the definition with current references. @throws TemplateError, PropertyError */
  async wantedOf(
    ctx: RequestContext,
    row: LoadedResource,
    definition: ResourceDefinition,
    type: ResourceType,
  ): Promise<Frozen> {
    const names = new Set([...row.requires, ...Object.keys(definition.asks)]);
    const required = await this.rows.required(ctx, row.stackId, [...names]);
    const references = referencesTo(required.map((one) => this.referred(one)));
    const valueOf = (one: Expression): Json => this.ports.evaluate(one, references);
    return {
      properties: await this.ports.propertiesOf(
        type,
        valueOf(definition.properties),
        `resources.${row.name}.properties`,
        { actor: actorOf(ctx, row), projectId: row.projectId },
      ),
      metadata: valueOf(definition.metadata),
      updatePolicy: valueOf(definition.updatePolicy),
    };
  }

  referred({ name, physicalId, reference, attributes }: RequiredResource): Referred {
    return {
      name,
      reference: reference === null ? (physicalId ?? name) : this.sealed.open<Json>(reference),
      attributes: this.sealed.openIfAny<JsonObject>(attributes, {}),
    };
  }

  factsOf(row: OtherResource): ResourceFacts {
    return {
      id: row.id,
      name: row.name,
      physicalId: row.physicalId,
      data: this.sealed.openIfAny<JsonObject>(row.data, {}),
      metadata: this.sealed.openIfAny<Json>(row.metadata, {}),
    };
  }

  /** @param frozen by default the values of the last creation or update */
  scopeOf(
    ctx: RequestContext,
    row: LoadedResource,
    signal: AbortSignal,
    frozen: Frozen = this.frozenOf(row.properties) ?? NOTHING,
  ): ResourceScope {
    const target = { projectId: row.projectId, stackId: row.stackId, resourceId: row.id };
    const stack = {
      id: row.stackId,
      name: row.stackName,
      projectId: row.projectId,
      tags: row.stackTags,
    };
    return {
      ctx,
      actor: actorOf(ctx, row),
      stack,
      row: this.factsOf(row),
      properties: frozen.properties,
      updatePolicy: frozen.updatePolicy,
      services: this.ports.services,
      nested: this.nested.of(ctx, row, frozen),
      key: (part) => (part === undefined ? row.id : `${row.id}:${part}`),
      physicalName: (max) => physicalName(row, max),
      keep: (data) => this.rows.record(ctx, row, { data: this.sealed.seal(data) }),
      sibling: async (physicalId) => {
        const found = await this.rows.ofPhysicalId(ctx, row.stackId, physicalId);
        return found && this.factsOf(found);
      },
      adjust: (physicalId, adjustment) => this.adjust(ctx, row, physicalId, adjustment),
      signals: {
        counts: (id) => this.signals.counts(ctx, id),
        read: (id) => this.signals.read(ctx, id),
      },
      metadataUrl: () => this.addresses.ofMetadata(target),
      signalUrl: (from = 'guests') =>
        from === 'guests' ? this.addresses.ofGuests(target) : this.addresses.ofOthers(target),
      signal,
    };
  }

  /** @param key of the operation on the snapshot */
  snapshotScope(
    ctx: RequestContext,
    stack: Stack,
    trustId: string | null,
    key: string,
  ): SnapshotScope {
    const { id, name, projectId, tags } = stack;
    return {
      ctx,
      actor: actorOf(ctx, { trustId }),
      stack: { id, name, projectId, tags },
      services: this.ports.services,
      key: (part) => (part === undefined ? key : `${key}:${part}`),
      signal: new AbortController().signal,
    };
  }

  existing(
    ctx: RequestContext,
    row: LoadedResource,
    signal: AbortSignal,
    frozen?: Frozen,
  ): ExistingScope {
    // A type without a resource of its own gets the resource's name.
    const scope = this.scopeOf(ctx, row, signal, frozen);
    return { ...scope, row: { ...scope.row, physicalId: row.physicalId ?? row.name } };
  }

  /** @throws TypedFailure where there is no such group */
  private async adjust(
    ctx: RequestContext,
    { stackId }: LoadedResource,
    physicalId: string,
    adjustment: Json,
  ): Promise<string> {
    const found = await this.rows.ofPhysicalId(ctx, stackId, physicalId);
    const row = found && (await this.rows.load(ctx, found.id));
    const type = row && this.kindOf(row).type;
    if (!row || !type?.adjust)
      throw new TypedFailure('NotFound', `There is no scaling group "${physicalId}" in the stack.`);
    // Between two batches of an update, the stack below is idle.
    if (row.status === 'IN_PROGRESS') return GROUP_CHANGES;
    const tell = type.adjust.bind(type);
    const reason = await deliver(this, ctx, row, (scope) => tell(scope, adjustment));
    return reason ?? GROUP_CHANGES;
  }

  /** The type's own, and `show`, which is the whole answer of its service. */
  async attributesOf(
    type: ResourceType,
    scope: ExistingScope,
    names: readonly string[],
  ): Promise<JsonObject> {
    if (names.includes('*') && type.allAttributes) {
      const others = names.filter((name) => name !== '*');
      const all = await type.allAttributes(scope);
      return { ...all, ...(await this.attributesOf(type, scope, others)) };
    }
    if (names.includes('*'))
      return this.attributesOf(type, scope, [
        ...new Set([...Object.keys(type.attributes), ...names.filter((name) => name !== '*')]),
      ]);
    const own = names.filter((name) => name !== 'show' || Object.hasOwn(type.attributes, name));
    const ownValues = own.length > 0 ? ((await type.attributesOf?.(scope, own)) ?? {}) : {};
    const values = { ...ownValues, ...stepsOf(type, own) };
    if (own.length === names.length) return values;
    return { ...values, show: (await type.read?.(scope)) ?? null };
  }
}

function stepsOf(type: ResourceType, names: readonly string[]): JsonObject {
  const steps = names.flatMap((name) => {
    const count = type.stepsToMembers?.(name);
    return count === undefined ? [] : [[name, count] as const];
  });
  return steps.length === 0 ? {} : { [STEPS_TO_MEMBERS]: Object.fromEntries(steps) };
}

function actorOf(ctx: RequestContext, { trustId }: Pick<LoadedResource, 'trustId'>): Actor {
  return trustId === null ? asService(ctx) : throughTrust(ctx, trustId);
}

const SUFFIX = 12;

/** `stack-resource-k3jd8s2mxq5p`, shortened at the front to keep it unique. */
export function physicalName(
  { id, stackName, name }: Pick<LoadedResource, 'id' | 'stackName' | 'name'>,
  max = 255,
): string {
  const digest = createHash('sha256').update(id).digest();
  const suffix = Array.from(digest.subarray(0, SUFFIX), (byte) => (byte % 32).toString(32)).join(
    '',
  );
  const whole = `${stackName}-${name}-${suffix}`;
  return whole.length <= max ? whole : `${whole.slice(0, 2)}-${whole.slice(-(max - 3))}`;
}

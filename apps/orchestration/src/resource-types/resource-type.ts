/**
 * A resource type: its properties and attributes, and its steps from creation to deletion. Each is
 * in its service's folder (`nova/server.ts`).
 *
 * Always holds: each step may be repeated, whether it was completed or interrupted. A step sends its
 * request and returns; `isCreated` and the like are polled until the service is done.
 */
import type { Actor } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Json, JsonObject } from '../json/json.js';
import type { TypeFact } from '../template/type-facts.js';
import type { TemplateRequest, TemplateSource } from '../template/read-template.js';
import type { Properties, SupportStatus } from '../constraints/property-schema.js';
import type { StoredSignal } from '../rows/resource-signal.entity.js';
import type { Services } from '../sister-services.js';

export interface ResourceType extends TypeFact {
  readonly name: string;
  readonly description: string;
  readonly support?: SupportStatus;
  /** Whether its service makes a trust from the stack's, which ends with that one. */
  readonly passesTrustOn?: true;
  /**
   * For groups with attributes of each member: the number of path elements that lead to the members'
   * values.
   * The rest of the path, as in `[group, networks, net]`, is applied to each value. Pure.
   */
  stepsToMembers?(attribute: string): number | undefined;
  /** Checks against other services before anything is created. @throws TemplateError, PropertyError */
  inquire?(properties: Properties, inquiry: Inquiry): Promise<void>;
  /** The definitions of its members by name, for previews. Pure. */
  members?(properties: Properties): Readonly<Record<string, JsonObject>>;

  /** The value of `get_resource`; by default the physical ID, or the name if there is none. */
  referenceOf?(row: ResourceFacts): Json;

  /** Creates it under `scope.key`: a repetition returns the same resource. */
  create(scope: ResourceScope): Promise<Created>;
  /** Absent if it exists as soon as it is created. @throws ResourceInErrorError */
  isCreated?(scope: ExistingScope): Promise<boolean>;
  /** Absent if every change is a replacement. @throws ReplacementNeeded if this one is */
  update?(scope: ExistingScope, change: Change): Promise<Updated>;
  isUpdated?(scope: ExistingScope): Promise<boolean>;
  /** Whether it has a nested stack, which can change though the properties do not. */
  readonly isNested?: true;
  /** Whether a failed one is updated instead of replaced. */
  readonly updatesFailed?: true;
  /** Succeeds if it is gone already. */
  remove(scope: ExistingScope): Promise<void>;
  isRemoved?(scope: ExistingScope): Promise<boolean>;
  /** The service's representation; undefined if it is gone. For `check` and the attribute `show`. */
  read?(scope: ExistingScope): Promise<JsonObject | undefined>;
  /** Real values that differ from the requested ones; undefined if it is gone. For `converge`. */
  drifted?(scope: ExistingScope): Promise<Properties | undefined>;
  /** Values of these attributes, by name without path. A missing one is null. */
  attributesOf?(scope: ExistingScope, names: readonly string[]): Promise<JsonObject>;
  /** All its attributes, if the type does not declare them. */
  allAttributes?(scope: ExistingScope): Promise<JsonObject>;
  /** Begins a check, if `read` does not suffice. @throws ResourceInErrorError */
  check?(scope: ExistingScope): Promise<void>;
  isChecked?(scope: ExistingScope): Promise<boolean>;
  suspend?(scope: ExistingScope): Promise<void>;
  isSuspended?(scope: ExistingScope): Promise<boolean>;
  resume?(scope: ExistingScope): Promise<void>;
  isResumed?(scope: ExistingScope): Promise<boolean>;
  /** @param mark the same at each attempt. @returns data for `restored` and `removeSnapshot` */
  snapshot?(scope: ExistingScope, mark: string): Promise<JsonObject>;
  isSnapshot?(scope: ExistingScope, data: JsonObject): Promise<boolean>;
  removeSnapshot?(scope: SnapshotScope, data: JsonObject): Promise<void>;
  /** The properties that restore a snapshot; by default the former ones. Pure. */
  restored?(properties: Properties, data: JsonObject): Properties;
  /** Frees what its replacement needs, such as an address or a port, before that is created. */
  prepareForReplacement?(scope: ExistingScope): Promise<void>;
  /** Takes it back when the replacement is rolled back. */
  restoreReplaced?(scope: ExistingScope): Promise<void>;
  /** @returns the event's reason, and changes of the row */
  signal?(scope: ExistingScope, details: Json): Promise<Signalled>;
  /**
   * The signal to store, for types that keep all signals; instead of `signal`. Pure.
   * @param number of the signal, from 1
   * @throws InvalidInputError for a malformed one
   */
  parseSignal?(details: Json, number: number): StoredSignal;
  /** Changes its size at another resource's request. */
  adjust?(scope: ExistingScope, adjustment: Json): Promise<Signalled>;
}

/** The context of checks before creation, as the caller. */
export interface Inquiry {
  readonly actor: Actor;
  readonly services: Services;
  /** Reads the template of its nested stack. @throws TemplateError */
  readTemplate(
    template: Pick<TemplateRequest, 'template' | 'environment' | 'files' | 'parameters'>,
  ): Promise<void>;
  readonly surroundings: Required<Pick<NestedTemplate, 'environment' | 'files'>>;
}

/** The parts of a resource that others in its stack may see. */
export interface ResourceFacts {
  /** Of the row: a replacement has another. */
  readonly id: string;
  readonly name: string;
  readonly physicalId: string | null;
  /** The type's own data, sealed at rest. */
  readonly data: JsonObject;
  readonly metadata: Json;
}

export interface StackFacts {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly tags: readonly string[];
}

export interface ResourceScope {
  readonly ctx: RequestContext;
  /** Acts by the stack's trust. */
  readonly actor: Actor;
  readonly stack: StackFacts;
  readonly row: ResourceFacts;
  /** Complete by the type's schema, with defaults. */
  readonly properties: Properties;
  readonly updatePolicy: Json;
  readonly services: Services;
  readonly nested: NestedStacks;
  /** The Idempotency-Key of this creation; `part` distinguishes several in one resource. */
  key(part?: string): string;
  /**
   * Such as `stack-resource-k3jd8s2mxq5p`: unique, and the same at each attempt. @param max characters
   */
  physicalName(max?: number): string;
  /** Stores this at once, before anything can fail. */
  keep(data: JsonObject): Promise<void>;
  /** Another resource of this stack; undefined if none has this physical ID. */
  sibling(physicalId: string): Promise<ResourceFacts | undefined>;
  /** Signals of another resource of this stack, by its row's ID. */
  readonly signals: StoredSignals;
  /** Resizes another resource of this stack. @returns the event's reason */
  adjust(physicalId: string, adjustment: Json): Promise<string>;
  /** The signed URL for signals. @param from guests by default */
  signalUrl(from?: SignalSource): string;
  /** The signed URL at which a guest's agent reads the metadata. */
  metadataUrl(): string;
  readonly signal: AbortSignal;
}

/** Guests use an address that their network reaches, others the public one. */
export type SignalSource = 'guests' | 'others';

export interface ExistingScope extends ResourceScope {
  readonly row: ResourceFacts & { readonly physicalId: string };
}

/** Of a snapshot, whose resource may be gone or replaced. */
export type SnapshotScope = CallScope & Pick<ResourceScope, 'ctx' | 'stack'>;

export type CallScope = Pick<ResourceScope, 'actor' | 'services' | 'key' | 'signal'>;

export interface Created {
  /** Null if nothing is created. */
  readonly physicalId: string | null;
  readonly data?: JsonObject;
}

export interface Updated {
  readonly data?: JsonObject;
}

/** @property before the values when it last settled */
export interface Change {
  readonly before: Properties;
  readonly changed: ReadonlySet<string>;
  readonly metadataBefore: Json;
}

export interface Signalled {
  readonly reason: string;
  readonly data?: JsonObject;
  readonly metadata?: Json;
}

export interface StoredSignals {
  counts(resourceId: string): Promise<{ readonly signals: number; readonly failures: number }>;
  /** The oldest first. */
  read(resourceId: string): Promise<readonly (readonly [id: string, content: JsonObject])[]>;
}

export interface NestedOutputs {
  /** Null for one that is not available. */
  readonly values: Readonly<Record<string, Json>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** The nested stack of a resource. */
export interface NestedStacks {
  /** Begins its creation, once. @returns its ID */
  create(template: NestedTemplate): Promise<string>;
  update(template: NestedTemplate): Promise<void>;
  remove(): Promise<void>;
  /** Undefined once it is gone. */
  find(): Promise<NestedStack | undefined>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  check(): Promise<void>;
  /** From settled resources. */
  outputs(): Promise<NestedOutputs>;
  resources(): Promise<readonly NestedResource[]>;
  /** The template that the environment assigns to the resource, with these parameters. */
  template(parameters: Properties): Promise<NestedTemplate>;
  source(): Promise<TemplateSource | undefined>;
  /** The stack's environment and files, for a template that the type generates. */
  surroundings(): Promise<Required<Pick<NestedTemplate, 'environment' | 'files'>>>;
}

export type NestedTemplate = Pick<
  TemplateRequest,
  'template' | 'environment' | 'files' | 'parameters'
>;

export interface NestedStack {
  readonly id: string;
  readonly action: string;
  readonly status: 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';
  readonly reason: string;
}

export interface NestedResource extends ResourceFacts {
  readonly action: string;
  readonly status: string;
  readonly createdAt: Date;
  /** Current values from the service. */
  attributes(names: readonly string[]): Promise<JsonObject>;
  reference(): Json;
}

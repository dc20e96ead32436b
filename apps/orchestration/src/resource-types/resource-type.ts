/**
 * A type of resource: what its properties and attributes are, and how one is made, changed and removed.
 * They are in the folder of the service that has them (`nova/server.ts`).
 *
 * Always holds: each step may be run again after it was done, or half done. A step asks and returns; it
 * does not wait for the world: `isCreated` and the like are asked until they say so.
 */
import type { Actor } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Json, JsonObject } from '../json/json.js';
import type { TypeFact } from '../template/type-facts.js';
import type { TemplateRequest, TemplateSource } from '../template/read-template.js';
import type { Properties, SupportStatus } from '../constraints/property-schema.js';
import type { KeptSignal } from '../rows/resource-signal.entity.js';
import type { Services } from '../sister-services.js';

export interface ResourceType extends TypeFact {
  /** `OS::Nova::Server` */
  readonly name: string;
  readonly description: string;
  readonly support?: SupportStatus;
  /** Whether its service makes itself a trust of the stack's, which ends with that. */
  readonly passesTrustOn?: true;
  /**
   * Of a group, for an attribute with a value of each member: how many steps of a path lead to those
   * values. What is left of the path leads into each of them: `[group, networks, net]`. Pure.
   */
  stepsToMembers?(attribute: string): number | undefined;
  /** Checks what only others can say, before anything is made. @throws TemplateError, PropertyError */
  inquire?(properties: Properties, inquiry: Inquiry): Promise<void>;
  /** What it would be made of, as a template says it by names: for previews. Pure. */
  members?(properties: Properties): Readonly<Record<string, JsonObject>>;

  /** What `get_resource` gives; by default the physical id, or the name where there is none. */
  referenceOf?(row: ResourceFacts): Json;

  /** Makes it, under `scope.key`: a repetition gives what was made. */
  create(scope: ResourceScope): Promise<Created>;
  /** Absent where it is there as soon as it is made. @throws ResourceInErrorError */
  isCreated?(scope: ExistingScope): Promise<boolean>;
  /** Absent where any change is a replacement. @throws ReplacementNeeded where this one is */
  update?(scope: ExistingScope, change: Change): Promise<Updated>;
  isUpdated?(scope: ExistingScope): Promise<boolean>;
  /** Whether it is made of a stack below, which may have to change though its properties do not. */
  readonly isNested?: true;
  /** Whether one that has failed is updated, where another is replaced. */
  readonly updatesFailed?: true;
  /** What is gone already is success. */
  remove(scope: ExistingScope): Promise<void>;
  isRemoved?(scope: ExistingScope): Promise<boolean>;
  /** What the service says of it; undefined if it is gone. For `check`, and the attribute `show`. */
  read?(scope: ExistingScope): Promise<JsonObject | undefined>;
  /**
   * Properties that its service has otherwise than it was asked for them, as they are there; undefined
   * if it is gone. For updates that look at what there really is, which bring them back.
   */
  drifted?(scope: ExistingScope): Promise<Properties | undefined>;
  /** Values of these attributes (names, without paths). What has none is null. */
  attributesOf?(scope: ExistingScope, names: readonly string[]): Promise<JsonObject>;
  /** All that it has, where the type does not say what those are. */
  allAttributes?(scope: ExistingScope): Promise<JsonObject>;
  /** Begins a look at it, where `read` alone does not tell. @throws ResourceInErrorError */
  check?(scope: ExistingScope): Promise<void>;
  isChecked?(scope: ExistingScope): Promise<boolean>;
  suspend?(scope: ExistingScope): Promise<void>;
  isSuspended?(scope: ExistingScope): Promise<boolean>;
  resume?(scope: ExistingScope): Promise<void>;
  isResumed?(scope: ExistingScope): Promise<boolean>;
  /**
   * @param mark of this one snapshot, the same at each try: what has it already is not made again
   * @returns what `restored` and `removeSnapshot` need
   */
  snapshot?(scope: ExistingScope, mark: string): Promise<JsonObject>;
  isSnapshot?(scope: ExistingScope, data: JsonObject): Promise<boolean>;
  removeSnapshot?(scope: SnapshotScope, data: JsonObject): Promise<void>;
  /** Its properties as a snapshot's restoration wants them; by default as they were. Pure. */
  restored?(properties: Properties, data: JsonObject): Properties;
  /** Leaves what its replacement needs, before that is made: an address, a port. */
  prepareForReplacement?(scope: ExistingScope): Promise<void>;
  /** Takes that again: the replacement is rolled back. */
  restoreReplaced?(scope: ExistingScope): Promise<void>;
  /** Takes a signal. @returns what the event says, and what of the row changes */
  signal?(scope: ExistingScope, details: Json): Promise<Signalled>;
  /**
   * What it keeps of a signal, where it keeps them one beside the other; in place of `signal`. Pure.
   * @param number of the signal, from 1
   * @throws InvalidInputError for one of another form
   */
  keepSignal?(details: Json, number: number): KeptSignal;
  /** Changes its size, as another resource of its stack asks. */
  adjust?(scope: ExistingScope, adjustment: Json): Promise<Signalled>;
}

/** Before a resource is made, in the name of whoever asks for it. */
export interface Inquiry {
  readonly actor: Actor;
  readonly services: Services;
  /** Reads a template that a stack of its own would be made from. @throws TemplateError */
  readTemplate(
    template: Pick<TemplateRequest, 'template' | 'environment' | 'files' | 'parameters'>,
  ): Promise<void>;
  /** What the stack's environment and files say to it. */
  readonly surroundings: Required<Pick<NestedTemplate, 'environment' | 'files'>>;
}

/** What others may know of a resource of a stack. */
export interface ResourceFacts {
  /** Of the row: a replacement has another. */
  readonly id: string;
  readonly name: string;
  readonly physicalId: string | null;
  /** What the type keeps for itself, sealed at rest. */
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
  /** Through the stack's trust. */
  readonly actor: Actor;
  readonly stack: StackFacts;
  readonly row: ResourceFacts;
  /** By the type's schema: whole, with defaults. */
  readonly properties: Properties;
  readonly updatePolicy: Json;
  readonly services: Services;
  readonly nested: NestedStacks;
  /** The Idempotency-Key of this creation; `part` names one of several things that are made. */
  key(part?: string): string;
  /** `stack-resource-k3jd8s2mxq5p`: unique, and the same at each try. @param max characters */
  physicalName(max?: number): string;
  /** Keeps this at once, before what may fail. */
  keep(data: JsonObject): Promise<void>;
  /** Another of this stack, as it is now; undefined if there is none of this physical id. */
  sibling(physicalId: string): Promise<ResourceFacts | undefined>;
  /** How many signals another of this stack keeps, or those themselves, by its row's id. */
  readonly signals: KeptSignals;
  /** Has another of this stack change its size. @returns what it says */
  adjust(physicalId: string, adjustment: Json): Promise<string>;
  /** The address by which signals reach this resource, signed. @param from guests by default */
  signalUrl(from?: SignalSource): string;
  /** Where an agent in a guest reads the resource's metadata, signed. */
  metadataUrl(): string;
  readonly signal: AbortSignal;
}

/** Who signals: guests, which reach what their network serves, or others, at the public address. */
export type SignalSource = 'guests' | 'others';

export interface ExistingScope extends ResourceScope {
  readonly row: ResourceFacts & { readonly physicalId: string };
}

/** Of a snapshot, whose resource may be gone, or be another by now. */
export type SnapshotScope = CallScope & Pick<ResourceScope, 'ctx' | 'stack'>;

/** What it takes to call services. */
export type CallScope = Pick<ResourceScope, 'actor' | 'services' | 'key' | 'signal'>;

export interface Created {
  /** Null where nothing is made. */
  readonly physicalId: string | null;
  readonly data?: JsonObject;
}

export interface Updated {
  readonly data?: JsonObject;
}

/** @property before as they were when it was last settled */
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

/** Signals by the id of the row that keeps them. */
export interface KeptSignals {
  counts(resourceId: string): Promise<{ readonly signals: number; readonly failures: number }>;
  /** The oldest first. */
  read(resourceId: string): Promise<readonly (readonly [id: string, content: JsonObject])[]>;
}

export interface NestedOutputs {
  /** Null for one that cannot be said. */
  readonly values: Readonly<Record<string, Json>>;
  /** Why those cannot be said, by their names. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The stack below a resource that is made of one. */
export interface NestedStacks {
  /** Begins it, once; again, it is left alone. @returns its id */
  create(template: NestedTemplate): Promise<string>;
  update(template: NestedTemplate): Promise<void>;
  remove(): Promise<void>;
  /** Undefined once it is gone. */
  find(): Promise<NestedStack | undefined>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  check(): Promise<void>;
  /** Of its settled resources. */
  outputs(): Promise<NestedOutputs>;
  resources(): Promise<readonly NestedResource[]>;
  /** That which the environment has the resource be made of, with these parameters. */
  template(parameters: Properties): Promise<NestedTemplate>;
  /** What it is made from; undefined where there is none. */
  source(): Promise<TemplateSource | undefined>;
  /** What the stack's environment and files say to a template of the type's own. */
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
  /** As its service has them now. */
  attributes(names: readonly string[]): Promise<JsonObject>;
  reference(): Json;
}

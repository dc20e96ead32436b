/**
 * What a template says, as the engine needs it: plain data, made in a thread of its own (`template-reader`)
 * from what a request brings, and made anew whenever a stack is planned.
 */
import type { Expression } from './expression.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ConstraintQuestion } from '../constraints/constraint-check.js';

/** What a stack is made from: stored, and shown as it was given. */
export interface TemplateSource {
  readonly template: JsonObject;
  readonly environment: JsonObject;
  readonly files: Readonly<Record<string, string>>;
}

/** A request's template, before anything of it has been looked at. */
export interface TemplateRequest {
  /** Text in YAML or JSON, or what a client has parsed. */
  readonly template: string | JsonObject;
  readonly environment?: string | JsonObject | undefined;
  /** Names of `files` that are environments too, later ones before earlier ones. */
  readonly environmentFiles?: readonly string[] | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the request's own: before those of `environment`, after those of its files. */
  readonly parameters?: JsonObject | undefined;
  readonly stack: PseudoParameters;
  /** The template resource of the stack above, for `resource_facade`. */
  readonly facade?: Facade | undefined;
  /** Whether parameters may be without a value: where a template is only validated. */
  readonly allowsMissing?: boolean | undefined;
  /** Whose properties are held against what their types say: by default those of all templates. */
  readonly checks?: 'all' | 'own' | 'none' | undefined;
  /**
   * The constraints that values of parameters keep: by default all. Of a template that was taken before,
   * `known` is without patterns that are not taken any more, and `none` judges no value again.
   */
  readonly constraints?: KeptConstraints | undefined;
  /** Whether types of services that this cloud does not have are passed over: Heat's error 99001. */
  readonly allowsUnavailable?: boolean | undefined;
  /** Whether what was read of templates that stand for resources comes with it. */
  readonly showsNested?: boolean | undefined;
  /** What `Fn::GetAZs` gives: by default the zone that every compute service begins with. */
  readonly zones?: readonly string[] | undefined;
}

export type KeptConstraints = 'all' | 'known' | 'none';

/** `OS::stack_id`, `OS::stack_name`, `OS::project_id`. */
export interface PseudoParameters {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
}

export interface Facade {
  readonly metadata: Json;
  readonly deletionPolicy: DeletionPolicy;
  readonly updatePolicy: Json;
}

export type DeletionPolicy = 'Delete' | 'Retain' | 'Snapshot';

export interface ReadTemplate {
  readonly source: TemplateSource;
  /** `heat_template_version.2021-04-16` */
  readonly version: string;
  readonly description: string;
  readonly parameters: readonly ReadParameter[];
  readonly parameterGroups: readonly JsonObject[];
  /** By name, without those whose condition does not hold. */
  readonly resources: Readonly<Record<string, ResourceDefinition>>;
  readonly outputs: Readonly<Record<string, OutputDefinition>>;
  /** Names of conditions, and whether they hold. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** The zones that it was read with, where they were asked for. */
  readonly zones?: readonly string[] | undefined;
  /** What only a service can say of values: checked by whoever reads the template. */
  readonly questions: readonly Question[];
  /**
   * Templates that stand for resources, by the resources' names, read with what is known of their
   * parameters. Only where the request says so.
   */
  readonly nested?: Readonly<Record<string, ReadTemplate>> | undefined;
}

export interface ReadParameter {
  readonly name: string;
  readonly type: 'String' | 'Number' | 'CommaDelimitedList' | 'Json' | 'Boolean';
  readonly label: string;
  readonly description: string;
  /** As the template or the environment's `parameter_defaults` has it. */
  readonly default?: Json | undefined;
  /** As the request or the environment gives it; `validate` shows it. */
  readonly given?: Json | undefined;
  readonly hidden: boolean;
  readonly immutable: boolean;
  readonly tags: readonly string[];
  /** As `validate` shows them: MinLength, AllowedValues, CustomConstraint, … */
  readonly constraints: JsonObject;
  /** By its type; undefined where none was given and there is no default (validate alone). */
  readonly value?: Json | undefined;
}

/** What a type asks services of all properties of a resource together, which are known. */
export interface TypeQuestion {
  /** `OS::Heat::Stack` */
  readonly type: string;
  readonly resource: string;
  /** By the type's schema: whole, with defaults. */
  readonly properties: JsonObject;
  /** `resources.site.properties` */
  readonly path: string;
}

/** Whether whoever asks may have a resource of a type. */
export interface PermissionQuestion {
  /** `OS::Nova::Flavor` */
  readonly permission: string;
  /** `resources.size.type` */
  readonly path: string;
}

export type Question = ConstraintQuestion | TypeQuestion | PermissionQuestion;

export interface ResourceDefinition {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** What the environment's registry makes of it. */
  readonly implementation: Implementation;
  /** A map, or a call that gives one. */
  readonly properties: Expression;
  readonly metadata: Expression;
  /** Resources that must be there before it: of `depends_on`, of functions, and of its type. */
  readonly requires: readonly string[];
  /** Attributes of others that it asks for: `{ server: ['first_address'] }`; `*` for all. */
  readonly asks: Readonly<Record<string, readonly string[]>>;
  readonly deletionPolicy: DeletionPolicy;
  readonly updatePolicy: Expression;
  readonly externalId: Expression | undefined;
  /** `pre-create`, `post-update`, … that the environment sets for it. */
  readonly hooks: readonly string[];
  /** `update`, `replace` that the environment forbids. */
  readonly restrictedActions: readonly string[];
}

export type Implementation =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'template'; readonly file: string };

export interface OutputDefinition {
  readonly description: string;
  readonly value: Expression;
  readonly asks: Readonly<Record<string, readonly string[]>>;
}

/** A template as plain data from a template thread, read again whenever a stack is planned. */
import type { Expression } from './expression.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ConstraintQuestion } from '../constraints/constraint-check.js';

export interface TemplateSource {
  readonly template: JsonObject;
  readonly environment: JsonObject;
  readonly files: Readonly<Record<string, string>>;
}

export interface TemplateRequest {
  /** YAML or JSON as text, or parsed by the client. */
  readonly template: string | JsonObject;
  readonly environment?: string | JsonObject | undefined;
  /** Names of `files` with environments, of which later ones take precedence. */
  readonly environmentFiles?: readonly string[] | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Take precedence over those of `environment`, but not over those of its files. */
  readonly parameters?: JsonObject | undefined;
  readonly stack: PseudoParameters;
  /** The resource of the stack above, for `resource_facade`. */
  readonly facade?: Facade | undefined;
  /** Whether parameters may be without a value, if a template is only validated. */
  readonly allowsMissing?: boolean | undefined;
  /** The templates whose properties are checked against their types; by default all. */
  readonly checks?: 'all' | 'own' | 'none' | undefined;
  /** For a stored template, `known` skips invalid patterns, and `none` checks no value again. */
  readonly constraints?: CheckedConstraints | undefined;
  /** Whether types of services that this cloud does not have are accepted: Heat's error 99001. */
  readonly allowsUnavailable?: boolean | undefined;
  readonly showsNested?: boolean | undefined;
  /** The value of `Fn::GetAZs`; by default compute's default zone. */
  readonly zones?: readonly string[] | undefined;
}

export type CheckedConstraints = 'all' | 'known' | 'none';

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
  readonly conditions: Readonly<Record<string, boolean>>;
  /** The zones that were requested from compute. */
  readonly zones?: readonly string[] | undefined;
  /** Checks by services, which the reader's caller has to make. */
  readonly questions: readonly Question[];
  /** Templates of nested stacks by resource, read with their known parameters, if requested. */
  readonly nested?: Readonly<Record<string, ReadTemplate>> | undefined;
}

export interface ReadParameter {
  readonly name: string;
  readonly type: 'String' | 'Number' | 'CommaDelimitedList' | 'Json' | 'Boolean';
  readonly label: string;
  readonly description: string;
  /** From the template or `parameter_defaults`. */
  readonly default?: Json | undefined;
  /** From the request or the environment; `validate` shows it. */
  readonly given?: Json | undefined;
  readonly hidden: boolean;
  readonly immutable: boolean;
  readonly tags: readonly string[];
  /** As `validate` shows them: MinLength, AllowedValues, CustomConstraint, … */
  readonly constraints: JsonObject;
  /** Of its type; undefined only in a validation. */
  readonly value?: Json | undefined;
}

/** A check of a whole resource by its type, if all its properties are known. */
export interface TypeQuestion {
  readonly type: string;
  readonly resource: string;
  /** Complete by the type's schema, with defaults. */
  readonly properties: JsonObject;
  readonly path: string;
}

/** Whether the caller may use a type. */
export interface PermissionQuestion {
  readonly permission: string;
  readonly path: string;
}

export type Question = ConstraintQuestion | TypeQuestion | PermissionQuestion;

export interface ResourceDefinition {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** By the environment's registry. */
  readonly implementation: Implementation;
  readonly properties: Expression;
  readonly metadata: Expression;
  /** Dependencies: from `depends_on`, functions, and the type. */
  readonly requires: readonly string[];
  /** Attributes of other resources that it needs: `{ server: ['first_address'] }`; `*` for all. */
  readonly asks: Readonly<Record<string, readonly string[]>>;
  readonly deletionPolicy: DeletionPolicy;
  readonly updatePolicy: Expression;
  readonly externalId: Expression | undefined;
  /** The environment's hooks for it, such as `pre-create`. */
  readonly hooks: readonly string[];
  /** `update` and `replace`, if the environment forbids them. */
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

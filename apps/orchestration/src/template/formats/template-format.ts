/** A version of a template format: the names of its parts, and its functions. */
import type { DeletionPolicy } from '../read-template.js';
import type { FunctionTable } from '../functions/template-function.js';

export interface TemplateFormat {
  readonly kind: 'hot' | 'cfn';
  /** `2016-10-14` */
  readonly version: string;
  /** `heat_template_version.2016-10-14` */
  readonly name: string;
  /** `heat_template_version.newton` */
  readonly aliases: readonly string[];
  readonly versionKey: VersionKey;
  readonly sections: SectionKeys;
  readonly resource: ResourceKeys;
  readonly output: OutputKeys;
  readonly functions: FunctionTable;
  /** Empty for versions without conditions. */
  readonly conditionFunctions: FunctionTable;
  /** By their spellings. */
  readonly deletionPolicies: Readonly<Record<string, DeletionPolicy>>;
}

export type VersionKey =
  | 'heat_template_version'
  | 'AWSTemplateFormatVersion'
  | 'HeatTemplateFormatVersion';

/** Top-level keys; undefined for those that the version does not have. */
export interface SectionKeys {
  readonly description: string;
  readonly parameters: string;
  readonly parameterGroups?: string;
  readonly mappings?: string;
  readonly conditions?: string;
  readonly resources: string;
  readonly outputs: string;
}

export interface ResourceKeys {
  readonly type: string;
  readonly properties: string;
  readonly metadata: string;
  readonly dependsOn: string;
  readonly deletionPolicy: string;
  readonly updatePolicy: string;
  readonly description: string;
  readonly condition?: string;
  readonly externalId?: string;
  /** AWS keys that are accepted and ignored. */
  readonly ignored?: readonly string[];
}

export interface OutputKeys {
  readonly value: string;
  readonly description: string;
  readonly condition?: string;
  readonly ignored?: readonly string[];
}

/**
 * Parameters as clients see them: values as texts in a stack, schemata in a validation. Public
 * source: Orchestration API reference, "Show stack details", "Validate template".
 */
import type { Constraint } from '../../constraints/property-schema.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { Numeric } from '../../json/numbers.js';
import { textOf } from '../../json/texts.js';
import type { PseudoParameters, ReadParameter, ReadTemplate } from '../read-template.js';

const HIDDEN = '******';

/** A stack's parameters with the pseudo parameters. */
export function shownParameters(
  { parameters, version }: Pick<ReadTemplate, 'parameters' | 'version'>,
  stack: PseudoParameters,
): Readonly<Record<string, string>> {
  const format = version.startsWith('heat_template_version') ? 'hot' : 'cfn';
  const own = parameters.flatMap((one): [string, string][] =>
    one.value === undefined ? [] : [[one.name, shownValue(one, one.value)]],
  );
  return { ...pseudoParameters(format, stack), ...Object.fromEntries(own) };
}

function shownValue({ type, hidden }: ReadParameter, value: Json): string {
  if (hidden) return HIDDEN;
  if (type === 'CommaDelimitedList') return (value as readonly Json[]).map(textOf).join(',');
  return type === 'Json' ? stringifyExact(value) : textOf(value);
}

/** An entry of `Parameters` in a validation. */
export function validatedParameter(parameter: ReadParameter): JsonObject {
  const { type, description, hidden, label, tags, constraints, given } = parameter;
  return {
    Type: type,
    Description: description,
    NoEcho: hidden ? 'true' : 'false',
    Label: label,
    ...(parameter.default === undefined ? {} : { Default: parameter.default }),
    ...(given === undefined || given === '' ? {} : { Value: given }),
    ...(tags.length === 0 ? {} : { Tags: tags }),
    ...constraints,
  };
}

/** `MinLength`, `AllowedValues` and the like, for all formats. */
export function shownConstraints(constraints: readonly Constraint[]): JsonObject {
  const descriptions = constraints.flatMap(({ description }) => description ?? []);
  const shown = Object.assign({}, ...constraints.map(shownConstraint)) as JsonObject;
  return descriptions.length === 0
    ? shown
    : { ...shown, ConstraintDescription: descriptions.join(' ') };
}

function shownConstraint(constraint: Constraint): JsonObject {
  switch (constraint.kind) {
    case 'length':
      return bounds('MinLength', constraint.min, 'MaxLength', constraint.max);
    case 'range':
      return bounds('MinValue', constraint.min, 'MaxValue', constraint.max);
    case 'modulo':
      return { Step: constraint.step, Offset: constraint.offset };
    case 'values':
      return { AllowedValues: constraint.allowed };
    case 'pattern':
      return { AllowedPattern: constraint.pattern };
    case 'custom':
      return { CustomConstraint: constraint.name };
  }
}

function bounds(
  minName: string,
  min: Numeric | undefined,
  maxName: string,
  max: Numeric | undefined,
): JsonObject {
  return {
    ...(min === undefined ? {} : { [minName]: min }),
    ...(max === undefined ? {} : { [maxName]: max }),
  };
}

/** Heat's only region; templates with this pseudo parameter expect one of AWS's names. */
const REGION = 'ap-southeast-1';

export type TemplateFormat = 'hot' | 'cfn';

/** Parameters that every template has. Heat template guide, "Pseudo parameters". */
export function pseudoParameters(
  format: TemplateFormat,
  { id, name, projectId }: PseudoParameters,
): Readonly<Record<string, string>> {
  return format === 'hot'
    ? { 'OS::stack_id': id, 'OS::stack_name': name, 'OS::project_id': projectId }
    : {
        'AWS::StackId': stackArn({ id, name, projectId }),
        'AWS::StackName': name,
        'AWS::Region': REGION,
      };
}

/** The value of `AWS::StackId` and of references to stacks. */
export function stackArn({ id, name, projectId }: PseudoParameters): string {
  return `arn:openstack:heat::${projectId}:stacks/${encodeURIComponent(name)}/${id}`;
}

/** The values for `get_param` and `Ref`. */
export function withPseudo(
  values: Readonly<Record<string, Json>>,
  format: TemplateFormat,
  stack: PseudoParameters,
): Readonly<Record<string, Json>> {
  return { ...values, ...pseudoParameters(format, stack) };
}

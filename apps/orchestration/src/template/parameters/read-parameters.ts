/**
 * A stack's parameters: the template's declarations with the values of the request and the environment.
 *
 * Always holds: no message has the value of a hidden parameter.
 */
import {
  customFault,
  faultOf,
  type ConstraintQuestion,
} from '../../constraints/constraint-check.js';
import { PatternFault } from '../../constraints/python-syntax.js';
import { ownOf, type Json } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import type { ReadParameter } from '../read-template.js';
import {
  ImmutableParameterModifiedError,
  StackValidationFailedError,
  UnknownUserParameterError,
  UserParameterMissingError,
} from '../template.errors.js';
import { PROPERTY_TYPES, typedValue, type ParameterSchema } from './parameter-schema.js';
import { shownConstraints } from './parameter-view.js';

export interface ParameterSources {
  readonly schemata: readonly ParameterSchema[];
  /** Of the request and the environment; null is not a value. */
  readonly given: Readonly<Record<string, Json>>;
  /** `parameter_defaults` of the environment, which may contain parameters of other templates. */
  readonly defaults: Readonly<Record<string, Json>>;
  /** Whether parameters may be without a value, if a template is only validated. */
  readonly allowsMissing?: boolean;
}

export interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  /** Converted to their types, of parameters with a value. */
  readonly values: Readonly<Record<string, Json>>;
  readonly questions: readonly ConstraintQuestion[];
}

/**
 * @throws UnknownUserParameterError
 * @throws UserParameterMissingError
 * @throws StackValidationFailedError for a value of another type, or one that a constraint rejects
 */
export function readParameters(sources: ParameterSources): ReadParameters {
  const { schemata, given } = sources;
  const declared = new Set(schemata.map(({ name }) => name));
  const unknown = Object.keys(given).find((name) => !declared.has(name));
  if (unknown !== undefined) throw new UnknownUserParameterError(unknown);
  const questions: ConstraintQuestion[] = [];
  const parameters = schemata.map((schema) => readParameter(schema, sources, questions));
  const values = parameters.flatMap(({ name, value }): [string, Json][] =>
    value === undefined ? [] : [[name, value]],
  );
  return { parameters, values: Object.fromEntries(values), questions };
}

function readParameter(
  schema: ParameterSchema,
  { given, defaults, allowsMissing = false }: ParameterSources,
  questions: ConstraintQuestion[],
): ReadParameter {
  const { name, type, label, description, hidden, immutable, tags } = schema;
  const own = ownOf(given, name) ?? undefined;
  const preset = ownOf(defaults, name) ?? schema.default;
  const raw = own ?? preset;
  if (raw === undefined && !allowsMissing) throw new UserParameterMissingError(name);
  const value = raw === undefined ? undefined : checkedValue(schema, raw, questions);
  return {
    name,
    type,
    label,
    description,
    hidden,
    immutable,
    tags,
    constraints: shownConstraints(schema.constraints),
    ...(preset === undefined ? {} : { default: preset }),
    ...(own === undefined ? {} : { given: own }),
    ...(value === undefined ? {} : { value }),
  };
}

function checkedValue(schema: ParameterSchema, raw: Json, questions: ConstraintQuestion[]): Json {
  const { name, type, hidden, constraints } = schema;
  const typed = typedValue(type, raw, hidden);
  if ('fault' in typed) throw invalid(name, typed.fault);
  const { value } = typed;
  for (const one of constraints) {
    const fault =
      one.kind === 'custom'
        ? customFault(one, { value, path: `parameters.${name}`, isSecret: hidden }, questions)
        : plainFault(schema, one, value);
    if (fault !== undefined) throw invalid(name, fault);
  }
  return value;
}

function plainFault(
  { type, hidden }: ParameterSchema,
  constraint: Parameters<typeof faultOf>[0],
  value: Json,
): string | undefined {
  try {
    return faultOf(constraint, value, PROPERTY_TYPES[type], { isSecret: hidden });
  } catch (error) {
    if (error instanceof PatternFault) return error.message;
    throw error;
  }
}

export function invalid(name: string, fault: string): StackValidationFailedError {
  return new StackValidationFailedError(`Parameter '${name}' is invalid: ${fault}`);
}

/**
 * Refuses to change immutable parameters of the new template that the old one has too. Heat template
 * guide, "Parameters section", `immutable`.
 *
 * @throws ImmutableParameterModifiedError naming all of them
 */
export function refuseImmutableChanges(
  before: readonly ReadParameter[],
  after: readonly ReadParameter[],
): void {
  const old = new Map(before.map((one) => [one.name, one]));
  const changed = after.filter(({ name, immutable, value }) => {
    const previous = old.get(name);
    return immutable && previous !== undefined && !isSame(previous.value, value);
  });
  if (changed.length > 0)
    throw new ImmutableParameterModifiedError(changed.map(({ name }) => name));
}

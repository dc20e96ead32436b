/**
 * What a template, its environment or its parameters have wrong. The names of these classes, without
 * `Error`, are the types that Heat's clients know.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** Any of them: found before anything is made. */
export class TemplateError extends DomainError {
  constructor(message: string) {
    super('invalid', message);
  }
}

/**
 * A value at a known place. Clients of Heat look for its message in the form
 * `Property error: : resources.web.properties.flavor: : …`.
 */
export class StackValidationFailedError extends TemplateError {
  /**
   * @param text what is wrong there, with the value
   * @param path `resources.web.properties.flavor`; empty for the whole
   * @param error the kind of thing: `Property error`
   */
  constructor(
    readonly text: string,
    readonly path = '',
    readonly error = '',
  ) {
    super([error, path, text].filter((part) => part !== '').join(': : '));
  }
}

/** What a template declares of a parameter cannot be. */
export class InvalidSchemaError extends TemplateError {}

/** Heat template guide, "Parameters section": one without a value and without a default. */
export class UserParameterMissingError extends TemplateError {
  constructor(readonly key: string) {
    super(`The Parameter (${key}) was not provided.`);
  }
}

/** A value was given for a parameter that the template does not declare. */
export class UnknownUserParameterError extends TemplateError {
  constructor(readonly key: string) {
    super(`The Parameter (${key}) was not defined in template.`);
  }
}

export class ImmutableParameterModifiedError extends TemplateError {
  constructor(readonly keys: readonly string[]) {
    super(`The following parameters are immutable and may not be updated: ${keys.join(', ')}`);
  }
}

export class InvalidMergeStrategyForParamError extends TemplateError {
  constructor(strategy: string, param: string) {
    super(`Invalid merge strategy '${strategy}' for parameter '${param}'.`);
  }
}

export class ConflictingMergeStrategyForParamError extends TemplateError {
  constructor(strategy: string, param: string, file: string) {
    super(`Conflicting merge strategy '${strategy}' for parameter '${param}' in file '${file}'.`);
  }
}

export class InvalidBreakPointHookError extends TemplateError {}

export class InvalidRestrictedActionError extends TemplateError {}

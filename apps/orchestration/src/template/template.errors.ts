/** Errors of templates. The class names, without `Error`, are the types that clients know. */
import { invalid } from '@cumulet/common/errors/domain-error';

export class TemplateError extends invalid((message: string) => message) {}

/**
 * A fault at a known place. Heat's clients match messages of the form `Property error: :
 * resources.web.properties.flavor: : …`.
 */
export class StackValidationFailedError extends TemplateError {
  /**
   * @param text the fault, with the value
   * @param path `resources.web.properties.flavor`; empty for the whole
   * @param error the kind, such as `Property error`
   */
  constructor(
    readonly text: string,
    readonly path = '',
    readonly error = '',
  ) {
    super(inParts([error, path, text]));
  }
}

/** Heat's error 99001, which a validation can ignore. */
export class ResourceTypeUnavailableError extends StackValidationFailedError {
  constructor(service: string, type: string) {
    super(
      `HEAT-E99001 Service ${service} is not available for resource type ${type}, reason: this cloud does not have it.`,
    );
  }
}

function placed(path: string, text: string): string {
  const isProperty = /^resources\.[^.]+\.properties\b/i.test(path);
  return inParts([isProperty ? 'Property error' : '', path, text]);
}

function inParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(': : ');
}

export class TemplateSyntaxError extends TemplateError {}

/** Heat template guide, "Heat template version": a missing, ambiguous or unknown version. */
export class InvalidTemplateVersionError extends TemplateError {
  constructor(explanation: string) {
    super(`The template version is invalid: ${explanation}`);
  }
}

export class InvalidTemplateSectionError extends TemplateError {
  constructor(section: string) {
    super(`The template section is invalid: ${section}`);
  }
}

/** A missing resource, or one whose condition does not hold. */
export class InvalidTemplateReferenceError extends TemplateError {
  /** @param path of the reference: `resources.server.properties.image` */
  constructor(
    readonly resource: string,
    readonly path: string,
  ) {
    super(`The specified reference "${resource}" (in ${path}) is incorrect.`);
  }
}

export class InvalidTemplateAttributeError extends TemplateError {
  /** @param path of the reference: `outputs.address.value` */
  constructor(
    readonly resource: string,
    readonly attribute: string,
    readonly path: string,
  ) {
    super(`The Referenced Attribute (${resource} ${attribute}) is incorrect (in ${path}).`);
  }
}

export class CircularDependencyExceptionError extends TemplateError {
  /** @param cycle names, each of which requires the next; the first is also the last */
  constructor(readonly cycle: readonly string[]) {
    super(`Circular Dependency Found: ${cycle.join(' -> ')}`);
  }
}

/** An external resource exists already, so it cannot depend on another. */
export class InvalidExternalResourceDependencyError extends TemplateError {
  constructor(type: string, externalId: string) {
    super(`Invalid dependency with external ${type} resource: ${externalId}`);
  }
}

export class InvalidSchemaError extends TemplateError {}

/** Heat template guide, "Parameters section": a parameter without a value and without a default. */
export class UserParameterMissingError extends TemplateError {
  /** @param path of the reference, for an undeclared parameter */
  constructor(
    readonly key: string,
    readonly path = '',
  ) {
    super(placed(path, `The Parameter (${key}) was not provided.`));
  }
}

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

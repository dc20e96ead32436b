import { InvalidInputError } from '@cumulet/common/errors/domain-error';

/** A label that no part of the platform knows, by a name that looks like one that is known. */
export class UnknownLabelError extends InvalidInputError {
  constructor(name: string, known: readonly string[]) {
    super(`There is no label '${name}'; those that begin so are ${known.join(', ')}.`);
  }
}

export class InvalidLabelError extends InvalidInputError {
  constructor(name: string, value: string, must: string) {
    super(`The label ${name} must be ${must}, not '${value}'.`);
  }
}

/** What it asks for is something that Magnum's own driver has, and this platform has not. */
export class UnsupportedLabelError extends InvalidInputError {
  constructor(name: string, value: string, why: string) {
    super(`The label ${name} with '${value}' is not supported: ${why}.`);
  }
}

import { invalid } from '@cumulet/common/errors/domain-error';

/** A label that no part of the platform knows, by a name that looks like one that is known. */
export class UnknownLabelError extends invalid(
  (name: string, known: readonly string[]) =>
    `There is no label '${name}'; those that begin so are ${known.join(', ')}.`,
) {}

export class InvalidLabelError extends invalid(
  (name: string, value: string, must: string) =>
    `The label ${name} must be ${must}, not '${value}'.`,
) {}

/** What it asks for is something that Magnum's own driver has, and this platform has not. */
export class UnsupportedLabelError extends invalid(
  (name: string, value: string, why: string) =>
    `The label ${name} with '${value}' is not supported: ${why}.`,
) {}

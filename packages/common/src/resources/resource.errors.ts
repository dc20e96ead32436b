/**
 * What is refused of any resource, whatever service has it. An error's class, without `Error`, is
 * the `type` that clients read, so each is named as Neutron's.
 */
import { invalid, forbidden } from '../errors/domain-error.js';

/** A request that is wrong whatever the rows say: an attribute, a filter, a page. */
export class HTTPBadRequestError extends invalid((message: string) => message) {}

/** A value that its attribute does not take. */
export class InvalidValueError extends HTTPBadRequestError {
  constructor(attribute: string, reason: string) {
    super(`Invalid input for ${attribute}. Reason: ${reason}.`);
    this.name = HTTPBadRequestError.name;
  }
}

/** Values that do not go together, or not with what there is. */
export class InvalidInputError extends invalid(
  (reason: string) => `Invalid input for operation: ${reason}.`,
) {}

/** A request for several resources. */
export class BadRequestError extends invalid(
  (plural: string, reason: string) => `Bad ${plural} request: ${reason}.`,
) {}

/** @param rule the name of what is denied: `create_network:shared` */
export class PolicyNotAuthorizedError extends forbidden(
  (rule: string) => `rule:${rule} is disallowed by policy`,
) {}

/**
 * Errors common to all resources. An error's class, without `Error`, is the `type` that clients
 * see, so each is named as in Neutron.
 */
import { invalid, forbidden } from '../errors/domain-error.js';

/** A request that is invalid by itself: an attribute, a filter, a page. */
export class HTTPBadRequestError extends invalid((message: string) => message) {}

export class InvalidValueError extends HTTPBadRequestError {
  constructor(attribute: string, reason: string) {
    super(`Invalid input for ${attribute}. Reason: ${reason}.`);
    this.name = HTTPBadRequestError.name;
  }
}

/** Values that conflict with each other or with existing rows. */
export class InvalidInputError extends invalid(
  (reason: string) => `Invalid input for operation: ${reason}.`,
) {}

/** A request for several resources. */
export class BadRequestError extends invalid(
  (plural: string, reason: string) => `Bad ${plural} request: ${reason}.`,
) {}

/** @param rule the denied policy rule: `create_network:shared` */
export class PolicyNotAuthorizedError extends forbidden(
  (rule: string) => `rule:${rule} is disallowed by policy`,
) {}

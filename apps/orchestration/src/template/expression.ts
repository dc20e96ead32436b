/**
 * Values of a template after parameters, conditions and files have been resolved: only calls that need
 * resources remain.
 *
 * Always holds: expressions are plain data, for JSON and threads. A client's own value is never
 * mistaken for a call: `{"get_attr": [...]}` within a parameter's value stays a value.
 */
import type { Json } from '../json/json.js';

export type Expression =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Expression>> }
  | FunctionCall;

export interface FunctionCall {
  readonly kind: 'call';
  /** As in the template: `get_attr`, `Fn::GetAtt`. */
  readonly name: string;
  /** The template's version, which determines the function: `2021-04-16`. */
  readonly version: string;
  readonly argument: Expression;
  /** Its place, for messages: `resources.server.properties.networks[0]`. */
  readonly path: string;
}

/** Instead of an attribute's name: a map of all attributes except `show`. */
export const ALL_ATTRIBUTES = '*';

/** The values of resources while a stack is worked on. */
export interface References {
  /** The value of `get_resource`, usually the physical ID. @throws TemplateError */
  referenceOf(resource: string): Json;
  /** Of `get_attr`, from the last settled state. @param path into the value. @throws TemplateError */
  attributeOf(resource: string, attribute: string, path: readonly (string | number)[]): Json;
}

/**
 * Values of a template, once what its parameters, conditions and files decide has been decided: what
 * is left to ask for while a stack is worked on is calls of functions that name resources.
 *
 * Always holds: expressions are plain data, which JSON and threads carry. A client's own value is never
 * taken for a call: `{"get_attr": [...]}` within a parameter's value stays a value.
 */
import type { Json } from '../json/json.js';

export type Expression =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Expression>> }
  | FunctionCall;

export interface FunctionCall {
  readonly kind: 'call';
  /** As the template wrote it: `get_attr`, `Fn::GetAtt`. */
  readonly name: string;
  /** Of the template, which says what its functions do: `2021-04-16`. */
  readonly version: string;
  readonly argument: Expression;
  /** Where it stands, for messages: `resources.server.properties.networks[0]`. */
  readonly path: string;
}

/** In the place of an attribute's name: all of them but `show`, as a map. */
export const ALL_ATTRIBUTES = '*';

/** What functions ask of resources while a stack is worked on. */
export interface References {
  /** What `get_resource` gives: by most types the physical id. @throws TemplateError */
  referenceOf(resource: string): Json;
  /**
   * What `get_attr` gives, from what was read of the resource when it was last settled.
   * @param attribute a name, or `ALL_ATTRIBUTES`
   * @param path into the attribute's value
   * @throws TemplateError
   */
  attributeOf(resource: string, attribute: string, path: readonly (string | number)[]): Json;
}

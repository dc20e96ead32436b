/** What reading a template needs to know of the types of resources: a part of their registry. */
import type { ResourceType } from '../resource-types/resource-type.js';

export type TypeFact = Pick<
  ResourceType,
  | 'properties'
  | 'attributes'
  | 'takesAnything'
  | 'isAttribute'
  | 'validate'
  | 'validateAmong'
  | 'inquire'
  | 'implicitRequires'
  | 'memberTypes'
  | 'isForAdministrators'
>;

export interface TypeFacts {
  /** Undefined for what is no type. */
  find(name: string): TypeFact | undefined;
}

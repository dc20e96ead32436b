/** The facts about resource types that reading a template needs. */
import type {
  AttributeSchemas,
  Properties,
  PropertySchemas,
} from '../constraints/property-schema.js';
import type { ResourceDefinition } from './read-template.js';

/** Of a type, or of a template in place of one. */
export interface TypeFact {
  /** Whether it is hidden from callers who are not administrators. */
  readonly isForAdministrators?: true;
  readonly properties: PropertySchemas;
  readonly attributes: AttributeSchemas;
  /** Attributes with variable names, such as `resource.0.name`. Pure. */
  isAttribute?(name: string): boolean;
  /** Any properties are accepted and changed in place: `OS::Heat::None`, or a template's. */
  readonly acceptsAnyProperty?: true;
  /** Checks across properties. @throws PropertyError */
  validate?(properties: Properties): void;
  /** Checks its references to the stack, as far as they are known. @throws TemplateError */
  validateAmong?(one: ResourceDefinition, all: Readonly<Record<string, ResourceDefinition>>): void;
  /** Whether the reader's caller has to check it against other services. */
  readonly inquire?: unknown;
  /** Dependencies without a reference. Pure. */
  implicitRequires?(
    one: ResourceDefinition,
    all: Readonly<Record<string, ResourceDefinition>>,
  ): readonly string[];
  /** The types of its members, as far as known. Pure. */
  memberTypes?(properties: Properties): readonly string[];
}

export interface TypeFacts {
  find(name: string): TypeFact | undefined;
}

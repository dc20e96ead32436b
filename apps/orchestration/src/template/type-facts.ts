/** What reading a template needs to know of the types of resources. */
import type {
  AttributeSchemas,
  Properties,
  PropertySchemas,
} from '../constraints/property-schema.js';
import type { ResourceDefinition } from './read-template.js';

/** Of one type, or of a template that stands for one. */
export interface TypeFact {
  /** Whether its service leaves it to administrators: to others there is no such type. */
  readonly isForAdministrators?: true;
  readonly properties: PropertySchemas;
  readonly attributes: AttributeSchemas;
  /** Attributes besides those above, whose names its resources say: `resource.0.name`. Pure. */
  isAttribute?(name: string): boolean;
  /** Properties of any names, all of them changed in place: `OS::Heat::None`, or a template's. */
  readonly takesAnything?: true;
  /** Checks across properties. @throws PropertyError */
  validate?(properties: Properties): void;
  /** Checks what it names of its stack, as far as the template says it. @throws TemplateError */
  validateAmong?(one: ResourceDefinition, all: Readonly<Record<string, ResourceDefinition>>): void;
  /** Checks what only others can say, before anything is made: by whoever reads the template. */
  readonly inquire?: unknown;
  /** Resources that must be there first though nothing refers to them. Pure. */
  implicitRequires?(
    one: ResourceDefinition,
    all: Readonly<Record<string, ResourceDefinition>>,
  ): readonly string[];
  /** Types of what it is made of, as far as properties that are not all known yet say them. Pure. */
  memberTypes?(properties: Properties): readonly string[];
}

export interface TypeFacts {
  /** Undefined for what is no type. */
  find(name: string): TypeFact | undefined;
}

/** Resources of a template for the engine, with their implementations and dependencies. */
import { checkDefinition } from './properties/check-definition.js';
import { ResourceRegistry } from './environment/registry.js';
import type { TemplateFormat } from './formats/template-format.js';
import { ownOf, type JsonObject } from '../json/json.js';
import type { Question, ResourceDefinition } from './read-template.js';
import { asksOf, referencesOf, type PlacedReference } from './references-of.js';
import {
  checkAttributes,
  checkReferences,
  ownRequirements,
  withImplicitRequirements,
} from './requirements.js';
import type { ResourceSnippet } from './resource-snippets.js';
import { StackValidationFailedError } from './template.errors.js';
import type { TemplateFacts } from './template-facts.js';
import type { TypeFact, TypeFacts } from './type-facts.js';

export interface DefinitionSources {
  readonly format: TemplateFormat;
  /** Including those whose condition does not hold. */
  readonly resourceNames: ReadonlySet<string>;
  readonly registry: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly types: TypeFacts;
  readonly templates: TemplateFacts;
  /** Receives those for services. */
  readonly questions: Question[];
  readonly checksProperties: boolean;
  readonly allowsUnavailable: boolean | undefined;
}

export class ResourceDefinitions {
  private readonly registry: ResourceRegistry;
  private readonly enabled: ReadonlySet<string>;
  private readonly factOf: (name: string) => TypeFact | undefined;
  private readonly definitions: Readonly<Record<string, ResourceDefinition>>;
  private readonly references = new Map<string, readonly PlacedReference[]>();

  /** @throws TemplateError naming the path of the fault */
  constructor(
    snippets: ReadonlyMap<string, ResourceSnippet>,
    private readonly sources: DefinitionSources,
  ) {
    const { registry, files, types, allowsUnavailable } = sources;
    const isType = (name: string): boolean => types.find(name) !== undefined;
    this.registry = new ResourceRegistry({ registry, files, isType, allowsUnavailable });
    this.enabled = new Set(snippets.keys());
    const entries = [...snippets].map(
      ([name, snippet]) => [name, this.definition(snippet)] as const,
    );
    this.definitions = Object.fromEntries(entries);
    this.factOf = (name) => this.factFor(ownOf(this.definitions, name)?.implementation);
  }

  /** @throws TemplateError naming the path of the fault */
  all(): Readonly<Record<string, ResourceDefinition>> {
    for (const references of this.references.values()) {
      checkAttributes(references, this.factOf);
    }
    if (this.sources.checksProperties)
      for (const one of Object.values(this.definitions))
        if (one.externalId === undefined)
          this.factOf(one.name)?.validateAmong?.(one, this.definitions);
    return withImplicitRequirements(this.definitions, this.factOf);
  }

  /** @throws InvalidTemplateReferenceError, InvalidTemplateAttributeError */
  checkReferences(references: readonly PlacedReference[]): void {
    checkReferences(references, this.enabled);
    checkAttributes(references, this.factOf);
  }

  private definition(snippet: ResourceSnippet): ResourceDefinition {
    const { dependsOn: _, path, ...rest } = snippet;
    const { format, resourceNames } = this.sources;
    const references = [rest.properties, rest.metadata, rest.updatePolicy].flatMap(referencesOf);
    checkReferences(references, this.enabled);
    this.references.set(rest.name, references);
    const names = { declared: resourceNames, enabled: this.enabled };
    const implementation = this.implementationOf(snippet);
    const isExternal = rest.externalId !== undefined;
    const fact = this.factFor(implementation);
    const isChecked = this.sources.checksProperties && !isExternal;
    if (fact !== undefined && !fact.acceptsAnyProperty && isChecked) {
      const below = `${path}.${format.resource.properties}`;
      const checked = checkDefinition(fact, rest.properties, below, this.sources.questions);
      if (fact.inquire && checked.isWhole && implementation.kind === 'type')
        this.sources.questions.push({
          type: implementation.type,
          resource: rest.name,
          path: below,
          properties: checked.properties,
        });
      // The registry may name members that only the nested stack knows.
      const isKnown = Object.keys(this.sources.registry['resources'] ?? {}).length === 0;
      for (const type of (isKnown && fact.memberTypes?.(checked.properties)) || [])
        this.implementationOf({ ...snippet, type }, below);
    }
    return {
      ...rest,
      implementation,
      requires: ownRequirements(snippet, references, names, format.resource.dependsOn),
      asks: isExternal ? {} : asksOf(references),
      hooks: this.registry.hooksOf(rest.name),
      restrictedActions: this.registry.restrictedActionsOf(rest.name),
    };
  }

  private factFor(
    implementation: ResourceDefinition['implementation'] | undefined,
  ): TypeFact | undefined {
    switch (implementation?.kind) {
      case undefined:
        return undefined;
      case 'type':
        return this.sources.types.find(implementation.type);
      case 'template':
        return this.sources.templates.of(implementation.file);
    }
  }

  /** @param at the place in the template, for errors of the registry */
  private implementationOf(
    { type, name, path }: ResourceSnippet,
    at = `${path}.${this.sources.format.resource.type}`,
  ): ResourceDefinition['implementation'] {
    try {
      const implementation = this.registry.implementationOf(type, name);
      if (implementation.kind === 'type' && this.factFor(implementation)?.isForAdministrators)
        this.sources.questions.push({ permission: implementation.type, path: at });
      return implementation;
    } catch (error) {
      if (error instanceof StackValidationFailedError && error.path === '')
        throw new StackValidationFailedError(error.text, at, error.error);
      throw error;
    }
  }
}

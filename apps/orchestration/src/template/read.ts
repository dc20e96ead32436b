/** Reads a request's template. Pure, and linear in its input, so that threads can run it. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Conditions, SnippetReader } from './snippet-reader.js';
import { environmentJson, type Environment } from './environment/environment.js';
import { readEnvironment } from './environment/read-environment.js';
import { formatOf } from './formats/formats.js';
import type { TemplateFormat } from './formats/template-format.js';
import { ResultBudget } from './functions/result-budget.js';
import type { Scope } from './functions/template-function.js';
import type { Json, JsonObject } from '../json/json.js';
import { NestedReadings, NestedTemplates } from './nested-templates.js';
import { readOutputs, readParameterGroups, sectionsOf, type Sections } from './sections.js';
import { schemataOf } from './parameters/parameter-schemata.js';
import { errorWithout } from './error-transfer.js';
import { HiddenValues } from './parameters/hidden-values.js';
import { withPseudo } from './parameters/parameter-view.js';
import { readParameters } from './parameters/read-parameters.js';
import type {
  Facade,
  Question,
  ReadParameter,
  ReadTemplate,
  TemplateRequest,
} from './read-template.js';
import { ResourceDefinitions } from './resource-definitions.js';
import { readResources } from './resource-snippets.js';
import { StackValidationFailedError } from './template.errors.js';
import { TemplateFacts, typesOfParameters } from './template-facts.js';
import type { TypeFacts } from './type-facts.js';
import { checkParsed, checkStorable } from './yaml/parsed-value.js';
import { parseMapping, parseText } from './yaml/parse-text.js';
import type { TextLimits } from './yaml/text-budget.js';

/** For the validation of a template without its resource. */
const ANY_FACADE: Facade = { metadata: {}, deletionPolicy: 'Delete', updatePolicy: {} };

const DEFAULT_ZONES = ['nova'];

/** @throws TemplateError naming the path, or the line, of the fault */
export function read(request: TemplateRequest, types: TypeFacts, limits: TextLimits): ReadTemplate {
  return readWithin(request, types, limits, new NestedReadings());
}

function readWithin(
  request: TemplateRequest,
  types: TypeFacts,
  limits: TextLimits,
  readings: NestedReadings,
): ReadTemplate {
  return new TemplateReading(request, types, limits, readings).result();
}

interface Parameters {
  readonly list: readonly ReadParameter[];
  readonly values: Readonly<Record<string, Json>>;
}

function withoutHidden(one: Question, hidden: HiddenValues): Question {
  return 'value' in one && hidden.isIn(one.value) ? { ...one, isSecret: true } : one;
}

class TemplateReading {
  private readonly files: Readonly<Record<string, string>>;
  private readonly template: JsonObject;
  private readonly format: TemplateFormat;
  private readonly sections: Sections;
  private readonly questions: Question[] = [];

  constructor(
    private readonly request: TemplateRequest,
    private readonly types: TypeFacts,
    private readonly limits: TextLimits,
    private readonly readings: NestedReadings,
  ) {
    this.files = request.files ?? {};
    checkStorable(this.files, 'files');
    this.template = this.parsed(request.template, 'template [root stack]');
    checkStorable(this.template, 'template');
    this.format = formatOf(this.template);
    this.sections = sectionsOf(this.template, this.format);
  }

  result(): ReadTemplate {
    const environment = this.environment();
    checkStorable(environmentJson(environment), 'environment');
    const parameters = this.parameters(environment);
    const hidden = new HiddenValues(parameters.list);
    if (hidden.isEmpty) return this.made(environment, parameters);
    try {
      const made = this.made(environment, parameters);
      return { ...made, questions: made.questions.map((one) => withoutHidden(one, hidden)) };
    } catch (error) {
      throw error instanceof DomainError ? errorWithout(error, hidden) : error;
    }
  }

  private made(environment: Environment, parameters: Parameters): ReadTemplate {
    const { format, sections, template, files } = this;
    const declared = new Set(parameters.list.map(({ name }) => name));
    const parameterGroups = readParameterGroups(sections.parameterGroups, declared);
    const scope = this.scope(parameters);
    const budget = new ResultBudget();
    const conditions = new Conditions(sections.conditions, format, scope, budget);
    const reader = new SnippetReader(scope, budget, format.version, format.functions, (one, path) =>
      conditions.holds(one, path),
    );
    const snippets = readResources(sections.resources, format, reader);
    const duplicate = [...snippets.keys()].find((name) => declared.has(name));
    if (duplicate !== undefined)
      throw new StackValidationFailedError(
        `Duplicate names: "${duplicate}" is a parameter and a resource`,
      );
    const definitions = new ResourceDefinitions(snippets, {
      format,
      resourceNames: scope.resourceNames,
      registry: environment.registry,
      files,
      types: this.types,
      templates: new TemplateFacts(
        files,
        environment.parameterDefaults,
        this.limits,
        this.request.constraints,
      ),
      questions: this.questions,
      checksProperties: this.request.checks !== 'none',
      allowsUnavailable: this.request.allowsUnavailable,
    });
    const resources = definitions.all();
    const nested = this.nested(environment).readAll(
      resources,
      format.sections.resources,
      this.questions,
    );
    const outputs = readOutputs(
      sections.outputs,
      format,
      reader.within({ ...scope, allowsUndeclared: true }),
    );
    for (const { references } of outputs.values()) {
      definitions.checkReferences(references);
    }
    return {
      source: { template, environment: environmentJson(environment), files },
      version: format.name,
      description: sections.description,
      parameters: parameters.list,
      parameterGroups,
      resources,
      outputs: Object.fromEntries([...outputs].map(([name, one]) => [name, one.definition])),
      conditions: conditions.all(),
      questions: this.questions,
      ...(this.request.zones ? { zones: this.request.zones } : {}),
      ...(this.request.showsNested ? { nested } : {}),
    };
  }

  private nested(environment: Environment): NestedTemplates {
    const { request, types, limits } = this;
    const { showsNested, allowsUnavailable, constraints, checks = 'all' } = request;
    const below = {
      showsNested,
      allowsUnavailable,
      constraints,
      checks: checks === 'all' ? checks : 'none',
    } as const;
    return new NestedTemplates(request, environment, types, this.readings, (child, readings) =>
      readWithin({ ...child, ...below }, types, limits, readings),
    );
  }

  private parsed(given: string | JsonObject, what: string): JsonObject {
    if (typeof given === 'string') return parseMapping(given, this.limits, what);
    checkParsed(given, this.limits, what);
    return given;
  }

  private environment(): Environment {
    const { environment, environmentFiles, parameters } = this.request;
    for (const one of [environment, parameters]) {
      if (typeof one === 'object') checkParsed(one, this.limits, 'environment');
    }
    const own = schemataOf(this.sections.parameters, this.format, 'none');
    return readEnvironment({
      environment,
      environmentFiles,
      parameters,
      files: this.files,
      typeOf: typesOfParameters(own, this.files, this.limits),
      parse: (text) => parseText(text, this.limits, 'environment'),
    });
  }

  private parameters({ parameters: given, parameterDefaults: defaults }: Environment): Parameters {
    const { constraints } = this.request;
    const schemata = schemataOf(this.sections.parameters, this.format, constraints);
    const declared = new Set(schemata.map(({ name }) => name));
    const fitting = Object.entries(given).filter(([name]) => declared.has(name));
    const read = readParameters({
      schemata,
      given: this.request.checks === 'none' ? Object.fromEntries(fitting) : given,
      defaults,
      allowsMissing: this.request.allowsMissing ?? false,
    });
    // A parameter may be JSON text, which was not limited before.
    checkParsed(read.values, this.limits, 'environment');
    this.questions.push(...read.questions);
    return { list: read.parameters, values: read.values };
  }

  private scope({ list, values }: Parameters): Scope {
    const { stack, zones, allowsMissing } = this.request;
    const facade = this.request.facade ?? (allowsMissing ? ANY_FACADE : undefined);
    return {
      parameters: withPseudo(values, this.format.kind, stack),
      missingParameters: new Set(
        list.flatMap(({ name, value }) => (value === undefined ? [name] : [])),
      ),
      allowsUndeclared: false,
      resourceNames: new Set(Object.keys(this.sections.resources)),
      mappings: this.sections.mappings,
      files: this.files,
      facade,
      zones: zones ?? DEFAULT_ZONES,
    };
  }
}

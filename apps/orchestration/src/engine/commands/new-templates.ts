/** Templates of requests: read, checked and counted before anything is stored. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { environmentJson, environmentOf } from '../../template/environment/environment.js';
import { patchedEnvironment } from '../../template/environment/derived-environment.js';
import { stringifyExact } from '../../json/exact-json.js';
import type {
  Facade,
  PseudoParameters,
  ReadTemplate,
  TemplateRequest,
  TemplateSource,
} from '../../template/read-template.js';
import type { JsonObject } from '../../json/json.js';
import { TemplateError } from '../../template/template.errors.js';
import { TemplateReader } from '../../template/template-reader.js';
import { EnginePorts } from '../engine-ports.js';
import type { StackChange } from '../stack-commands.js';
import { TemplateQuestions } from '../template-questions.js';

type Given = Omit<TemplateRequest, 'stack' | 'facade'>;

/** Allows a value that depends on an unknown part of the template. */
const PARTLY = { allowsMissing: true };

@Injectable()
export class NewTemplates {
  constructor(
    private readonly reader: TemplateReader,
    private readonly questions: TemplateQuestions,
    private readonly ports: EnginePorts,
  ) {}

  /** @throws TemplateError, PropertyError */
  async read(
    ctx: RequestContext,
    given: Given,
    stack: PseudoParameters,
    facade?: Facade,
  ): Promise<ReadTemplate> {
    const zones = asksForZones(given) ? await this.ports.zones(ctx) : undefined;
    const template = await this.reader.read({ ...templateOf(given), stack, facade, zones });
    await this.questions.answer(ctx, template);
    return template;
  }

  /** Reads a nested template. @returns undefined if too few parameters are known */
  async readPart(
    given: Given,
    parameters: JsonObject,
    stack: PseudoParameters,
  ): Promise<ReadTemplate | undefined> {
    const known = Object.entries(parameters).filter(([, value]) => value !== null);
    const request = { ...given, ...PARTLY, parameters: Object.fromEntries(known), stack };
    try {
      return await this.reader.read({ ...request, showsNested: true });
    } catch (error) {
      if (error instanceof TemplateError) return undefined;
      throw error;
    }
  }

  /** A change that keeps everything it does not name. */
  async readPatch(
    ctx: RequestContext,
    before: TemplateSource,
    change: StackChange,
    stack: PseudoParameters,
  ): Promise<ReadTemplate> {
    const { template, constraints } = templateAfter(before, change);
    const files = { ...before.files, ...change.files };
    const asked = templateOf({ ...change, template, files, constraints });
    const part = await this.reader.read({ ...asked, ...PARTLY, stack });
    const environment = patchedEnvironment({
      existing: environmentOf(before.environment),
      given: environmentOf(part.source.environment),
      clear: change.clearParameters ?? [],
      declared: new Set(part.parameters.map(({ name }) => name)),
    });
    const whole = { template, constraints, files, environment: environmentJson(environment) };
    return this.read(ctx, whole, stack);
  }
}

function templateOf(given: Given): Given {
  const { template, environment, environmentFiles, files, parameters } = given;
  const { showsNested, constraints } = given;
  return {
    template,
    environment,
    environmentFiles,
    files,
    parameters,
    showsNested,
    constraints,
  };
}

/** The template of a change, or the stack's own, which was validated before. */
export function templateAfter(
  before: TemplateSource,
  { template }: StackChange,
): Required<Pick<Given, 'template' | 'constraints'>> {
  return template === undefined
    ? { template: before.template, constraints: 'known' }
    : { template, constraints: 'all' };
}

/** Whether a template may use zones: searches its text, so it may wrongly say yes. */
function asksForZones({ template, files = {} }: Given): boolean {
  const text = typeof template === 'string' ? template : stringifyExact(template);
  return [text, ...Object.values(files)].some((one) => one.includes('Fn::GetAZs'));
}

/** The number of resources, without those of nested stacks. */
export function countOf({ resources }: Pick<ReadTemplate, 'resources'>): number {
  return Object.keys(resources).length;
}

/**
 * Answers a template's open questions before any of it is created: services are asked about values, and
 * resource types about whole resources. Types may read further templates, with questions of their own.
 *
 * Always holds: one request reads a bounded number of templates, each once, so that neither cycles nor
 * copies take long. Faults in the rest are found when it is created.
 */
import { Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { Inquiry } from '../resource-types/resource-type.js';
import { propertyFailure } from '../template/properties/check-definition.js';
import { childEnvironment } from '../template/environment/derived-environment.js';
import { environmentJson, environmentOf } from '../template/environment/environment.js';
import { comparable } from '../json/same-json.js';
import { errorWithout } from '../template/error-transfer.js';
import { HiddenValues } from '../template/parameters/hidden-values.js';
import type {
  PermissionQuestion,
  Question,
  ReadTemplate,
  TypeQuestion,
} from '../template/read-template.js';
import { TemplateReader } from '../template/template-reader.js';
import { EnginePorts } from './engine-ports.js';
import { PropertyError } from '../constraints/property.errors.js';
import type { ConstraintQuestion } from '../constraints/constraint-check.js';

type Open = Pick<ReadTemplate, 'questions' | 'source' | 'parameters'>;

const MAX_READ = 50;

/** Stands for the stack that does not exist yet. */
const NO_STACK = { id: 'None', name: 'dummy' };

@Injectable()
export class TemplateQuestions {
  constructor(
    private readonly reader: TemplateReader,
    private readonly ports: EnginePorts,
  ) {}

  /** Checks only permissions. @throws ForbiddenError if a type is for administrators */
  permit(ctx: RequestContext, { questions }: Pick<Open, 'questions'>): void {
    requirePermissions(ctx, questions.filter(isOfPermission));
  }

  /** @throws TemplateError, PropertyError */
  answer(ctx: RequestContext, template: Open): Promise<void> {
    return this.#answer(ctx, template, new Set());
  }

  async #answer(
    ctx: RequestContext,
    { questions, source, parameters }: Open,
    seen: Set<string>,
  ): Promise<void> {
    requirePermissions(ctx, questions.filter(isOfPermission));
    await this.ports.answer(ctx, questions.filter(isOfConstraint));
    const hidden = new HiddenValues(parameters);
    for (const question of questions.filter(isOfType)) {
      const child = { resource: question.resource, parameters: {}, path: [] };
      const environment = environmentJson(
        childEnvironment(environmentOf(source.environment), child),
      );
      const inquiry: Inquiry = {
        actor: asCaller(ctx),
        services: this.ports.services,
        surroundings: { environment, files: source.files },
        readTemplate: (template) => this.#read(ctx, template, seen),
      };
      await this.#inquire(question, inquiry).catch((error: unknown) => {
        throw error instanceof DomainError ? errorWithout(error, hidden) : error;
      });
    }
  }

  async #inquire({ type, properties, path }: TypeQuestion, inquiry: Inquiry): Promise<void> {
    try {
      await this.ports.typeOf(type)?.inquire?.(properties, inquiry);
    } catch (error) {
      throw error instanceof PropertyError ? propertyFailure(error, path) : error;
    }
  }

  async #read(
    ctx: RequestContext,
    { template, environment, files, parameters }: Parameters<Inquiry['readTemplate']>[0],
    seen: Set<string>,
  ): Promise<void> {
    // Files are the same for all of them.
    const key = comparable([template, environment ?? null, parameters ?? null]);
    if (seen.has(key) || seen.size >= MAX_READ) return;
    seen.add(key);
    const stack = { ...NO_STACK, projectId: ctx.projectId };
    const request = { template, environment, files, parameters, stack };
    const read = await this.reader.read({ ...request, allowsMissing: true });
    await this.#answer(ctx, read, seen);
  }
}

/** @throws ForbiddenError if a type is for administrators and the caller is not one */
function requirePermissions(
  { isAdmin }: RequestContext,
  [first]: readonly PermissionQuestion[],
): void {
  if (first && !isAdmin)
    throw new ForbiddenError(
      `You are not authorized to use ${first.permission} (in ${first.path}).`,
    );
}

function isOfPermission(question: Question): question is PermissionQuestion {
  return 'permission' in question;
}

function isOfConstraint(question: Question): question is ConstraintQuestion {
  return 'constraint' in question;
}

function isOfType(question: Question): question is TypeQuestion {
  return 'type' in question;
}

import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { TemplateQuestions } from '../engine/template-questions.js';
import { TemplateLimits } from '../quotas/template-limits.js';
import { templateOf } from '../stacks/stack-request.js';
import type { TemplateDto } from '../stacks/stack.dto.js';
import { TemplateReader, type TemplateOutline } from '../template/template-reader.js';

/** The code for a type of a missing service, the only error that can be ignored. */
const UNAVAILABLE = '99001';

const NO_STACK = { id: 'None', name: 'dummy' };

/** Public source: Orchestration API reference, "Validate template". */
@Injectable()
export class ValidateService {
  constructor(
    private readonly reader: TemplateReader,
    private readonly questions: TemplateQuestions,
    private readonly limits: TemplateLimits,
  ) {}

  /**
   * Validates a template without checking whether the images, keys and the like that it names exist.
   * Public source: heat, `engine/service.py`, `validate_template`.
   * @param ignored codes of errors
   * @throws TemplateError, PropertyError; InvalidInputError for an unknown code; ForbiddenError
   */
  async outline(
    ctx: RequestContext,
    dto: TemplateDto,
    ignored: readonly string[],
    showsNested: boolean,
  ): Promise<TemplateOutline> {
    const unknown = ignored.filter((code) => code !== UNAVAILABLE);
    if (unknown.length > 0)
      throw new InvalidInputError(`Invalid codes in ignore_errors : ${unknown.join(', ')}`);
    const request = templateOf(dto);
    await this.limits.check(ctx, request);
    const { projectId } = ctx;
    const stack = { ...NO_STACK, projectId };
    const template = await this.reader.outline({
      ...request,
      // Heat shows only the parameters of nested templates.
      stack,
      showsNested,
      allowsMissing: true,
      allowsUnavailable: ignored.includes(UNAVAILABLE),
      checks: 'own',
    });
    this.questions.permit(ctx, template);
    return template;
  }
}

import { Body, Controller, Post, Query as QueryOf } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { flagOf, type Query } from '../http/query.js';
import { TakesTemplate } from '../http/takes-template.js';
import { NewStackDto } from '../stacks/stack.dto.js';
import { ValidateService } from './validate.service.js';
import { validatedView } from './validate.view.js';

const ValidatedTemplate = answerClass('ValidatedTemplate', {
  Description: Shown(String, "The template's description."),
  Parameters: Shown(Object, 'Its parameters, with their schemata.'),
  ParameterGroups: Shown([Object], 'Its groups of parameters.', { optional: true }),
  NestedParameters: Shown(Object, 'The same of templates below it; show_nested alone.', {
    optional: true,
  }),
  Environment: Shown(Object, 'The environment that it was read with.'),
});

@Controller('validate')
export class ValidateController {
  constructor(private readonly validation: ValidateService) {}

  @Post()
  @Allow('member')
  @TakesTemplate()
  @ApiQueries(['show_nested', 'ignore_errors'])
  @Operation('Validate a template', ValidatedTemplate, { status: 200, creates: false })
  async validate(
    @Ctx() ctx: RequestContext,
    @Body() body: NewStackDto,
    @QueryOf() query: object,
  ): Promise<object> {
    const showNested = flagOf(query as Query, 'show_nested');
    const ignored = valuesOf(query as Query, 'ignore_errors').flatMap((one) => one.split(','));
    const outline = await this.validation.outline(ctx, body, ignored, showNested);
    return validatedView(outline, showNested);
  }
}

@Feature({ controllers: [ValidateController], providers: [ValidateService] })
export class ValidateModule {}

/** Public source: Orchestration API reference, "List template versions", "List template functions". */
import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { flagOf, type Query } from '../http/query.js';
import { NotFoundError } from '../rows/stack.errors.js';
import { templateFunctions, templateVersions } from '../template/formats/formats.js';

const TemplateVersionView = answerClass('TemplateVersionView', {
  version: Shown(String, 'Its name: heat_template_version.2016-10-14.'),
  type: Shown(String, 'The format that it is of.', { enum: ['hot', 'cfn'] }),
  aliases: Shown([String], 'Other names of it: heat_template_version.newton.'),
});

const TemplateVersionList = allUnder(
  'template_versions',
  TemplateVersionView,
  'The versions, the oldest first.',
);

const TemplateFunctionView = answerClass('TemplateFunctionView', {
  functions: Shown(String, 'The name.'),
  description: Shown(String, 'What it does.'),
});

const TemplateFunctionList = allUnder('template_functions', TemplateFunctionView);

@Controller('template_versions')
export class TemplateVersionsController {
  @Get()
  @Allow('reader')
  @Operation('List template versions', TemplateVersionList)
  list(): object {
    return { template_versions: templateVersions() };
  }

  @Get(':template_version/functions')
  @Allow('reader')
  @ApiQueries(['with_condition_func'])
  @Operation('List the functions of a template version', TemplateFunctionList)
  functions(@Param('template_version') version: string, @QueryOf() query: object): object {
    const functions = templateFunctions(version, flagOf(query as Query, 'with_condition_func'));
    if (!functions) throw new NotFoundError(`Template with version ${version} not found`);
    return { template_functions: functions };
  }
}

@Feature({ controllers: [TemplateVersionsController] })
export class TemplateVersionsModule {}

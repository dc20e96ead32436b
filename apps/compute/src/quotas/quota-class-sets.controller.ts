import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { shownUnder } from '../http/pages.js';
import { ChangedQuotaClassSetView, QuotaClassSetView } from './quota-set.answers.js';
import { UpdateQuotaClassSetBody } from './quota-set.dto.js';
import { QuotaSetsService } from './quota-sets.service.js';
import { LAST_IN_CLASSES, limitsOf } from './quota-versions.js';

/** The class `default` is the defaults; Nova knows no use of another. */
@ApiTags('quota sets')
@Controller('os-quota-class-sets/:id')
export class QuotaClassSetsController {
  constructor(private readonly quotaSets: QuotaSetsService) {}

  @Get()
  @Allow('admin')
  @Operation('Show a quota class', shownUnder('quota_class_set', QuotaClassSetView))
  async show(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<object> {
    const limits = await this.quotaSets.showClass(ctx, id);
    return { quota_class_set: viewIn(ctx, QuotaClassSetView)({ id, ...limits }) };
  }

  @Put()
  @Allow('admin')
  @Operation('Change a quota class', shownUnder('quota_class_set', ChangedQuotaClassSetView))
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { quota_class_set: values }: UpdateQuotaClassSetBody,
  ): Promise<object> {
    const limits = limitsOf(ctx, 'quota_class_set', values, LAST_IN_CLASSES);
    const changed = await this.quotaSets.updateClass(ctx, id, limits);
    return { quota_class_set: viewIn(ctx, ChangedQuotaClassSetView)(changed) };
  }
}

import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { ComputeQuotas } from './compute-quotas.js';
import { LimitsController } from './limits.controller.js';
import {
  ChangedQuotaClassSetView,
  ChangedQuotaSetView,
  LAST_IN_CLASSES,
  LAST_IN_SETS,
  limitsOf,
  QuotaClassSetView,
  QuotaSetDetailView,
  QuotaSetQuery,
  QuotaSetView,
  ShowQuotaSetQuery,
  UpdateQuotaClassSetBody,
  UpdateQuotaSetBody,
} from './quota-set.resource.js';
import { QuotaSetsService } from './quota-sets.service.js';

@Controller('os-quota-sets/:tenant_id')
export class QuotaSetsController {
  constructor(private readonly quotaSets: QuotaSetsService) {}

  @Get()
  @Allow('reader')
  @Operation('Show the quotas of a project', shownUnder('quota_set', QuotaSetView))
  async show(
    @Ctx() ctx: RequestContext,
    @Param('tenant_id') id: string,
    @Query() _query: ShowQuotaSetQuery,
  ): Promise<object> {
    const limits = await this.quotaSets.show(ctx, id);
    return { quota_set: viewIn(ctx, QuotaSetView)({ id, ...limits }) };
  }

  @Get('detail')
  @Allow('reader')
  @Operation(
    'Show the quotas of a project and their use',
    shownUnder('quota_set', QuotaSetDetailView),
  )
  async detail(
    @Ctx() ctx: RequestContext,
    @Param('tenant_id') id: string,
    @Query() _query: QuotaSetQuery,
  ): Promise<object> {
    const usage = await this.quotaSets.detail(ctx, id);
    return { quota_set: viewIn(ctx, QuotaSetDetailView)({ id, ...usage }) };
  }

  /** The same for every project, as in Nova, which takes one all the same. */
  @Get('defaults')
  @Allow('reader')
  @Operation('Show the default quotas', shownUnder('quota_set', QuotaSetView))
  async defaults(@Ctx() ctx: RequestContext, @Param('tenant_id') id: string): Promise<object> {
    const limits = await this.quotaSets.defaults(ctx);
    return { quota_set: viewIn(ctx, QuotaSetView)({ id, ...limits }) };
  }

  @Put()
  @Allow('admin')
  @Operation('Change the quotas of a project', shownUnder('quota_set', ChangedQuotaSetView))
  async update(
    @Ctx() ctx: RequestContext,
    @Param('tenant_id') id: string,
    @Query() _query: QuotaSetQuery,
    @Body() { quota_set: { force = false, ...values } }: UpdateQuotaSetBody,
  ): Promise<object> {
    const limits = limitsOf(ctx, 'quota_set', values, LAST_IN_SETS);
    const changed = await this.quotaSets.update(ctx, id, limits, force);
    return { quota_set: viewIn(ctx, ChangedQuotaSetView)(changed) };
  }

  @Delete()
  @Allow('admin')
  @Operation('Give a project the default quotas', null, { status: 202 })
  async reset(
    @Ctx() ctx: RequestContext,
    @Param('tenant_id') id: string,
    @Query() _query: QuotaSetQuery,
  ): Promise<void> {
    await this.quotaSets.reset(ctx, id);
  }
}

/** The class `default` is the defaults; Nova has no use for others. */
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

@Feature({
  controllers: [QuotaSetsController, QuotaClassSetsController, LimitsController],
  providers: [ComputeQuotas, QuotaSetsService],
})
export class QuotaSetsModule {}

import { Body, Controller, Delete, Get, Header, Param, Post, Put } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { zonelessTime } from '../http/times.js';
import { OfVersions } from '../versions/microversions.js';
import {
  Aggregate,
  AggregateActionBody,
  AggregateHost,
  AggregateList,
  AggregateView,
  CacheImagesBody,
  CreateAggregateBody,
  CreatedAggregate,
  UpdateAggregateBody,
} from './aggregate.resource.js';
import { AggregatesService } from './aggregates.service.js';

const Answer = shownUnder('aggregate', AggregateView);

@Controller('os-aggregates')
export class AggregatesController {
  constructor(private readonly aggregates: AggregatesService) {}

  @Get()
  @Allow('admin')
  @Operation('List aggregates', AggregateList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    const rows = await this.aggregates.list(ctx);
    return { aggregates: rows.map(viewIn(ctx, AggregateView, zonelessTime)) };
  }

  @Post()
  @Allow('admin')
  @Operation('Create an aggregate', shownUnder('aggregate', CreatedAggregate), {
    status: 200,
    creates: true,
    errors: [409],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { aggregate }: CreateAggregateBody,
  ): Promise<object> {
    const created = await this.aggregates.create(ctx, aggregate);
    return { aggregate: viewIn(ctx, CreatedAggregate, zonelessTime)(created) };
  }

  @Get(':aggregate_id')
  @Allow('admin')
  @Operation('Show an aggregate', Answer)
  async show(@Ctx() ctx: RequestContext, @Param('aggregate_id') id: string): Promise<object> {
    return shown(ctx, await this.aggregates.get(ctx, id));
  }

  @Put(':aggregate_id')
  @Allow('admin')
  @Operation('Change an aggregate', Answer, { errors: [409] })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('aggregate_id') id: string,
    @Body() { aggregate }: UpdateAggregateBody,
  ): Promise<object> {
    return shown(ctx, await this.aggregates.update(ctx, id, aggregate));
  }

  @Delete(':aggregate_id')
  @Header('Content-Type', 'application/json')
  @Allow('admin')
  @Operation('Delete an aggregate', null, { status: 200 })
  async delete(@Ctx() ctx: RequestContext, @Param('aggregate_id') id: string): Promise<void> {
    await this.aggregates.delete(ctx, id);
  }

  @Post(':aggregate_id/action')
  @Allow('admin')
  @Operation('Change the hosts or the metadata of an aggregate', Answer, {
    description: 'The only key of the body names the action.',
    status: 200,
    creates: false,
    errors: [409],
  })
  async act(
    @Ctx() ctx: RequestContext,
    @Param('aggregate_id') id: string,
    @Body() body: AggregateActionBody,
  ): Promise<object> {
    return shown(ctx, await this.#act(ctx, id, body));
  }

  @Post(':aggregate_id/images')
  @OfVersions({ since: 81 })
  @Allow('admin')
  @Operation('Cache images on the hosts of an aggregate', null, { status: 202, creates: false })
  async cacheImages(
    @Ctx() ctx: RequestContext,
    @Param('aggregate_id') id: string,
    @Body() { cache }: CacheImagesBody,
  ): Promise<void> {
    await this.aggregates.cacheImages(
      ctx,
      id,
      cache.map((image) => image.id),
    );
  }

  #act(ctx: RequestContext, id: string, body: AggregateActionBody): Promise<Aggregate> {
    const { add_host: add, remove_host: remove, set_metadata: set } = body;
    if ([add, remove, set].filter((one) => one !== undefined).length !== 1)
      throw new InvalidInputError(
        'Invalid input: the body must have one key: add_host, remove_host or set_metadata.',
      );
    if (add) return this.aggregates.addHost(ctx, id, add.host);
    if (remove) return this.aggregates.removeHost(ctx, id, remove.host);
    return this.aggregates.setMetadata(ctx, id, set?.metadata ?? {});
  }
}

function shown(ctx: RequestContext, aggregate: Aggregate): object {
  return { aggregate: viewIn(ctx, AggregateView, zonelessTime)(aggregate) };
}

@Feature({
  controllers: [AggregatesController],
  providers: [AggregatesService],
  entities: [Aggregate, AggregateHost],
})
export class AggregatesModule {}

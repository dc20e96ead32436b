import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Param,
  Put,
  Query,
  type Type,
} from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn } from '@cumulet/common/http/shown';
import { createValidationPipe } from '@cumulet/common/http/validation';
import { Feature } from '@cumulet/common/service/feature';
import { NoComputeServiceError } from '../hosts/host.errors.js';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import { COMPUTE } from '../hosts/host-services.js';
import { namedChangeOf, ServicesService } from './services.service.js';
import {
  ChangedServiceAnswer,
  ListServicesQuery,
  NamedServiceBody,
  ServiceList,
  ServiceView,
  UpdateServiceBody,
} from './service.dto.js';

@ApiExtraModels(NamedServiceBody, UpdateServiceBody)
@Controller('os-services')
export class ServicesController {
  readonly #validation = createValidationPipe();

  constructor(private readonly services: ServicesService) {}

  @Get()
  @Allow('admin')
  @Operation('List services', ServiceList)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListServicesQuery): Promise<object> {
    const rows = await this.services.list(ctx, query);
    return { services: rows.map(viewIn(ctx, ServiceView)) };
  }

  @Put(':service_id')
  @Allow('admin')
  @ApiBody({
    schema: {
      oneOf: [NamedServiceBody, UpdateServiceBody].map((body) => ({ $ref: getSchemaPath(body) })),
    },
  })
  @Operation('Change a service', ChangedServiceAnswer, {
    description:
      'Until microversion 2.52 the path ends with what to do: `enable`, `disable`, ' +
      '`disable-log-reason` or, since 2.11, `force-down`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('service_id') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    if (!versionOf(ctx).atLeast(53)) return { service: await this.#byName(ctx, id, body) };
    const change = await this.#valid(body, UpdateServiceBody);
    return { service: viewIn(ctx, ServiceView)(await this.services.update(ctx, id, change)) };
  }

  @Delete(':service_id')
  @Header('Content-Type', 'application/json')
  @Allow('admin')
  @Operation('Delete a service', null, { errors: [409] })
  async delete(@Ctx() ctx: RequestContext, @Param('service_id') id: string): Promise<void> {
    await this.services.delete(ctx, id);
  }

  async #byName(ctx: RequestContext, name: string, body: unknown): Promise<object> {
    const given = await this.#valid(body, NamedServiceBody);
    if (given.forced_down !== undefined) refuseBefore(ctx, 11, 'forced_down');
    const { set, shown } = namedChangeOf(ctx, name, given);
    const { host, binary } = given;
    if (binary !== COMPUTE) throw new NoComputeServiceError(binary);
    await this.services.decide(ctx, host, set);
    return { host, binary, ...shown };
  }

  async #valid<Dto>(body: unknown, metatype: Type<Dto>): Promise<Dto> {
    return (await this.#validation.transform(body, { type: 'body', metatype })) as Dto;
  }
}

@Feature({
  controllers: [ServicesController],
  providers: [ServicesService],
})
export class ServicesModule {}

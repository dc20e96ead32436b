import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { shownUnder } from '@cumulet/common/http/answers';
import { Operation } from '@cumulet/common/http/operation';
import { viewIn, viewOf } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { listedUnder, pageView } from '../http/pages.js';
import { ExtraSpecsController } from './extra-specs.controller.js';
import { FlavorAccessService, FlavorsService } from './flavors.service.js';
import {
  CreateFlavorBody,
  Flavor,
  FlavorAccess,
  FlavorAccessList,
  FlavorProject,
  FlavorSummary,
  FlavorView,
  ListFlavorsQuery,
  UpdateFlavorBody,
} from './flavor.resource.js';

@Controller('flavors')
export class FlavorsController {
  constructor(private readonly flavors: FlavorsService) {}

  @Get()
  @Allow('reader')
  @Operation('List flavors', listedUnder('flavors', FlavorSummary))
  async list(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<object> {
    const page = await this.flavors.page(ctx, query);
    return pageView(ctx, 'flavors', page, viewIn(ctx, FlavorSummary));
  }

  @Get('detail')
  @Allow('reader')
  @Operation('List flavors with details', listedUnder('flavors', FlavorView))
  async detail(@Ctx() ctx: RequestContext, @Query() query: ListFlavorsQuery): Promise<object> {
    const page = await this.flavors.page(ctx, query);
    return pageView(ctx, 'flavors', page, viewIn(ctx, FlavorView));
  }

  @Get(':flavor_id')
  @Allow('reader')
  @Operation('Show a flavor', shownUnder('flavor', FlavorView))
  async show(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    return { flavor: viewIn(ctx, FlavorView)(await this.flavors.getUsable(ctx, id)) };
  }

  @Post()
  @Allow('admin')
  @Operation('Create a flavor', shownUnder('flavor', FlavorView), {
    status: 200,
    creates: true,
    errors: [409],
  })
  async create(@Ctx() ctx: RequestContext, @Body() { flavor }: CreateFlavorBody): Promise<object> {
    return { flavor: viewIn(ctx, FlavorView)(await this.flavors.create(ctx, flavor)) };
  }

  @Put(':flavor_id')
  @Allow('admin')
  @Operation('Change the description of a flavor', shownUnder('flavor', FlavorView))
  async update(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
    @Body() { flavor: { description } }: UpdateFlavorBody,
  ): Promise<object> {
    const flavor = await this.flavors.describe(ctx, id, description);
    return { flavor: viewIn(ctx, FlavorView)(flavor) };
  }

  /** Servers keep a copy of their flavor. */
  @Delete(':flavor_id')
  @Allow('admin')
  @Operation('Delete a flavor', null, { status: 202 })
  async delete(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<void> {
    await this.flavors.delete(ctx, id);
  }
}

class ProjectDto {
  @StringField({
    pattern: /^[a-zA-Z0-9-]*$/,
    patternText: 'must be the id of a project',
  })
  tenant: string;
}

class FlavorActionBody {
  @ObjectField(() => ProjectDto, { optional: true })
  addTenantAccess?: ProjectDto;

  @ObjectField(() => ProjectDto, { optional: true })
  removeTenantAccess?: ProjectDto;
}

@ApiTags('flavors')
@Controller('flavors/:flavor_id')
export class FlavorAccessController {
  constructor(private readonly access: FlavorAccessService) {}

  @Get('os-flavor-access')
  @Allow('admin')
  @Operation('List the projects of a flavor', FlavorAccessList)
  async list(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    return accessView(await this.access.list(ctx, id));
  }

  @Post('action')
  @Allow('admin')
  @Operation('Add a project to a flavor, or remove one', FlavorAccessList, {
    status: 200,
    creates: false,
    errors: [409],
  })
  async act(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
    @Body() { addTenantAccess: add, removeTenantAccess: remove }: FlavorActionBody,
  ): Promise<object> {
    if (add && !remove) return accessView(await this.access.add(ctx, id, add.tenant));
    if (remove && !add) return accessView(await this.access.remove(ctx, id, remove.tenant));
    throw new InvalidInputError(
      'Invalid input: the body must have one key: addTenantAccess or removeTenantAccess.',
    );
  }
}

function accessView(rows: readonly FlavorProject[]): object {
  return { flavor_access: rows.map(viewOf(FlavorAccess)) };
}

@Feature({
  controllers: [FlavorsController, ExtraSpecsController, FlavorAccessController],
  providers: [FlavorsService, FlavorAccessService],
  entities: [Flavor, FlavorProject],
})
export class FlavorsModule {}

import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { FlavorAccessService } from './flavor-access.service.js';
import { FlavorAccessList, flavorAccessView } from './flavor.answers.js';

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
    return flavorAccessView(await this.access.list(ctx, id));
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
    if (add && !remove) return flavorAccessView(await this.access.add(ctx, id, add.tenant));
    if (remove && !add) return flavorAccessView(await this.access.remove(ctx, id, remove.tenant));
    throw new InvalidInputError(
      'Invalid input: the body must have one key: addTenantAccess or removeTenantAccess.',
    );
  }
}

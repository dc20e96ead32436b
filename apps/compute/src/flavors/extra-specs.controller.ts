import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { versionOf } from '../versions/microversions.js';
import { extraSpecsOf } from './extra-specs.js';
import { ExtraSpec, ExtraSpecs } from './flavor.resource.js';
import { ExtraSpecNotFoundError } from './flavor.errors.js';
import { FlavorsService } from './flavors.service.js';

const SPECS = { type: 'object', additionalProperties: { type: ['string', 'number'] as never } };

/** Public source: Nova API reference, "Flavors extra-specs (flavors, os-flavor-extra-specs)". */
@ApiTags('flavors')
@Controller('flavors/:flavor_id/os-extra_specs')
export class ExtraSpecsController {
  constructor(private readonly flavors: FlavorsService) {}

  @Get()
  @Allow('reader')
  @Operation('List the extra specs of a flavor', ExtraSpecs)
  async list(@Ctx() ctx: RequestContext, @Param('flavor_id') id: string): Promise<object> {
    return { extra_specs: (await this.flavors.getUsable(ctx, id)).extraSpecs };
  }

  /** Replaces specs of the same names. */
  @Post()
  @Allow('admin')
  @ApiBody({ schema: { type: 'object', properties: { extra_specs: SPECS } } })
  @Operation('Add extra specs to a flavor', ExtraSpecs, { status: 200, creates: false })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    const { extra_specs: given, ...others } = Object(body) as Record<string, unknown>;
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw new InvalidInputError(`Invalid input: ${other.slice(0, 255)} is not known.`);
    const specs = extraSpecsOf(given, versionOf(ctx).atLeast(86));
    await this.#change(ctx, id, (now) => ({ ...now, ...specs }));
    return { extra_specs: specs };
  }

  @Get(':flavor_extra_spec_key')
  @Allow('reader')
  @Operation('Show an extra spec of a flavor', ExtraSpec)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
    @Param('flavor_extra_spec_key') key: string,
  ): Promise<object> {
    const { extraSpecs } = await this.flavors.getUsable(ctx, id);
    if (!Object.hasOwn(extraSpecs, key)) throw new ExtraSpecNotFoundError(id, key);
    return { [key]: extraSpecs[key] };
  }

  @Put(':flavor_extra_spec_key')
  @Allow('admin')
  @ApiBody({ schema: SPECS as object })
  @Operation('Change an extra spec of a flavor', ExtraSpec)
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
    @Param('flavor_extra_spec_key') key: string,
    @Body() body: unknown,
  ): Promise<object> {
    const specs = extraSpecsOf(body, versionOf(ctx).atLeast(86));
    if (!Object.hasOwn(specs, key) || Object.keys(specs).length !== 1)
      throw new InvalidInputError('Request body and URI mismatch');
    await this.#change(ctx, id, (now) => ({ ...now, ...specs }));
    return specs;
  }

  @Delete(':flavor_extra_spec_key')
  @Allow('admin')
  @Operation('Delete an extra spec of a flavor', null, { status: 200 })
  async remove(
    @Ctx() ctx: RequestContext,
    @Param('flavor_id') id: string,
    @Param('flavor_extra_spec_key') key: string,
  ): Promise<void> {
    await this.#change(ctx, id, (now) => {
      if (!Object.hasOwn(now, key)) throw new ExtraSpecNotFoundError(id, key);
      return Object.fromEntries(Object.entries(now).filter(([name]) => name !== key));
    });
  }

  /** Locks the row, so that concurrent changes are all kept. */
  #change(
    ctx: RequestContext,
    id: string,
    change: (now: Readonly<Record<string, string>>) => Record<string, string>,
  ): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const { extraSpecs } = await this.flavors.lock(tx, id);
      await this.flavors.update(tx, id, { extraSpecs: change(extraSpecs) });
    });
  }
}

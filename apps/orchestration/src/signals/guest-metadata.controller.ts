/**
 * Metadata of a server for the agent in it, which has no token but an address that is signed for it.
 * Public source: Heat, "Template guide", OS::Nova::Server, software_config_transport.
 */
import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { MetadataOfResources } from '../stack-resources/resource-metadata.js';
import { ShownResourceRepository } from '../stack-resources/shown-resource.repository.js';
import { Stack } from '../rows/stack.entity.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';
import type { Json } from '../json/json.js';
import { SignalAddresses, type SignalTarget } from '../engine/signal-address.js';
import { SignalQuery } from './signals.controller.js';
import { AnyMap } from '../http/json-shape.js';

@Injectable()
export class GuestMetadata {
  constructor(
    private readonly addresses: SignalAddresses,
    private readonly resources: ShownResourceRepository,
    private readonly metadata: MetadataOfResources,
  ) {}

  /**
   * @throws ForbiddenError without the right signature, which says nothing of what there is
   * @throws EntityNotFoundError once the resource is gone
   */
  async read(ctx: RequestContext, target: SignalTarget, signature: string): Promise<Json> {
    if (!this.addresses.isSignedForMetadata(target, signature))
      throw new ForbiddenError('The address is not one that this service has signed.');
    const found = await this.resources.target(ctx, target.resourceId);
    const stack = found && (await selectRow(ctx.manager, Stack, 'WHERE id = $1', [found.stackId]));
    if (!stack) throw new EntityNotFoundError('Resource', target.resourceId);
    return this.metadata.of(ctx, stack, found.resource);
  }
}

@ApiTags('signals')
@Controller('metadata')
export class GuestMetadataController {
  constructor(private readonly guests: GuestMetadata) {}

  @Get(':project_id/:stack_id/:resource_id')
  @Public()
  @Operation('Show the metadata of a server to its agent', AnyMap, { errors: [403] })
  async read(
    @Ctx() ctx: RequestContext,
    @Param('project_id') projectId: string,
    @Param('stack_id') stackId: string,
    @Param('resource_id') resourceId: string,
    @Query() { Signature }: SignalQuery,
  ): Promise<object> {
    const metadata = await this.guests.read(ctx, { projectId, stackId, resourceId }, Signature);
    return metadata as object;
  }
}

@Feature({ controllers: [GuestMetadataController], providers: [GuestMetadata] })
export class GuestMetadataModule {}

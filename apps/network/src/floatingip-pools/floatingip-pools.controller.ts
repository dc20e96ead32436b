/**
 * The subnets that floating IPs are allocated from. Public source: neutron,
 * `db/l3_fip_pools_db.py`; Networking API reference, "Floating IP pools".
 */
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { fieldsOf, pageOf, type Query as ListQuery } from '@cumulet/common/resources/list-query';
import { ApiQueries, queryParameters } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { text, uuid } from '@cumulet/common/resources/value-type';
import { accessibleBy } from '../networks/network-access.js';
import { defineBareResource, neither } from '../resource/resource.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import { SubnetNotFoundError } from '../subnets/subnet.errors.js';
import { subnets } from '../subnets/subnet.repository.js';

const project = {
  about: 'The ID of the project that asks.',
  forCaller: (_: Subnet, { projectId }: RequestContext) => projectId,
  ...neither,
} as const;

/** Rows are subnets. */
const poolResource = defineBareResource({
  singular: 'floatingip_pool',
  plural: 'floatingip_pools',
  attributes: {
    subnetId: shownOnly(uuid, { about: 'The ID of the subnet.', property: 'id' }),
    subnetName: shownOnly(text(), { about: 'The name of the subnet.', property: 'name' }),
    networkId: shownOnly(uuid, { about: 'The ID of the external network.' }),
    cidr: shownOnly(text(), { about: 'The addresses, as a CIDR.', ...neither }),
    projectId: shownOnly(text(), project),
    tenantId: shownOnly(text(), { ...project, property: 'projectId' }),
  },
});

const views = viewsOf(poolResource);

const isOutside: Condition = (_, column) =>
  `${column('networkId')} IN (SELECT id FROM networks WHERE is_external AND state <> 'removing')`;

@ApiTags('floating IP pools')
/** Neutron uses the first path, its API reference the second. */
@Controller(['v2.0/floatingip-pools', 'v2.0/floatingip_pools'])
export class FloatingIpPoolsController {
  @Get()
  @Allow('reader')
  @ApiQueries(queryParameters(poolResource))
  @Operation('List the subnets that floating IPs are of', views.list, { errors: [404] })
  async list(@Ctx() ctx: RequestContext, @Query() query: object): Promise<object> {
    const asked = query as ListQuery;
    // External networks that the project may use, whoever owns their subnets.
    const own = actsAcrossProjects(ctx) ? [] : [accessibleBy(ctx.projectId, 'networkId')];
    const scope = [isOutside, equals('ipVersion', 4), ...own];
    const page = pageOf<Subnet>(poolResource, asked, ctx);
    const { marker } = page;
    if (marker !== undefined && !isUuid(marker)) throw new SubnetNotFoundError(marker);
    const { rows } = await subnets.list(ctx, { ...page, scope });
    return { floatingip_pools: rows.map((row) => views.show(ctx, row, fieldsOf(asked))) };
  }
}

@Feature({ controllers: [FloatingIpPoolsController] })
export class FloatingIpPoolsModule {}

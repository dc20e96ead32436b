import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Query } from '@cumulet/common/resources/list-query';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { LoadBalancersService } from '../load-balancers/load-balancers.service.js';
import { pageOfRows } from '../resources/octavia-query.js';
import { ImmutableObjectError, NotFoundError } from '../resources/octavia.errors.js';
import { amphoraResource } from './amphora.resource.js';
import { Instance } from '../tree/instance.entity.js';

const instances = new Table(Instance, {
  missing: (key) => new NotFoundError('Amphora', typeof key === 'string' ? key : ''),
});

@Injectable()
export class AmphoraeService {
  constructor(private readonly loadBalancers: LoadBalancersService) {}

  list(ctx: RequestContext, query: Query): Promise<PageOfRows<Instance>> {
    return pageOfRows(ctx, { resource: amphoraResource, table: instances }, query, []);
  }

  /** @throws NotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Instance> {
    if (!isUuid(id)) throw new NotFoundError('Amphora', id);
    return instances.get(ctx, id);
  }

  /** Has another one take its place. @throws ImmutableObjectError while the load balancer changes */
  async failover(ctx: RequestContext, id: string): Promise<void> {
    const { loadBalancerId } = await this.get(ctx, id);
    await this.loadBalancers.failover(ctx, loadBalancerId);
  }

  /**
   * There is none that no load balancer needs.
   * @throws ImmutableObjectError
   */
  async remove(ctx: RequestContext, id: string): Promise<never> {
    await this.get(ctx, id);
    throw new ImmutableObjectError('Amphora', id);
  }
}

/**
 * Orders cannot be created (http/unsupported-operations.ts). Clients list them before they create one,
 * or to clean up. Public source: Key Manager API reference, "Orders API"; Barbican's source,
 * `api/controllers/orders.py`.
 */
import { Controller, Get, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { pageClass, PageQuery, pageView } from '../http/pages.js';

class ListOrdersQuery extends PageQuery {
  @StringField({ optional: true, min: 0, description: 'A filter by the metadata of the order.' })
  meta?: string;
}

const OrderView = answerClass('OrderView', {
  order_ref: Shown(String, 'The URL of the order.'),
});

const OrderPage = pageClass('orders', OrderView);

@Controller('v1/orders')
export class OrdersController {
  @Get()
  @Allow('member')
  @Operation('List orders', OrderPage)
  list(@Ctx() ctx: RequestContext, @Query() { limit = 0, offset = 0 }: ListOrdersQuery): object {
    return pageView(ctx, 'orders', { rows: [], total: 0, limit, offset }, (row: object) => row);
  }
}

@Feature({ controllers: [OrdersController] })
export class OrdersModule {}

import { Table } from '@cumulet/common/tables/table';
import { Router, RouterPort } from './router.entity.js';
import { RouterInterfaceNotFoundError, RouterNotFoundError } from './router.errors.js';

export const routers = new Table(Router, {
  missing: (key) => new RouterNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
});

export const routerPorts = new Table(RouterPort, {
  missing: (key) =>
    new RouterInterfaceNotFoundError(
      typeof key === 'string' ? '' : (key.routerId ?? ''),
      typeof key === 'string' ? key : (key.portId ?? ''),
    ),
});

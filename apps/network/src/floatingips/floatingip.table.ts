import { Table } from '@cumulet/common/tables/table';
import { FloatingIp } from './floatingip.entity.js';
import {
  FloatingIPNotFoundError,
  FloatingIPPortAlreadyAssociatedError,
} from './floatingip.errors.js';

export const floatingIps = new Table(FloatingIp, {
  missing: (key) => new FloatingIPNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
  refusals: {
    floating_ips_fixed_key: (row) =>
      new FloatingIPPortAlreadyAssociatedError({
        id: row.id ?? '',
        floatingIpAddress: row.floatingIpAddress ?? '',
        floatingNetworkId: row.floatingNetworkId ?? '',
        portId: row.fixedPortId ?? '',
        fixedIpAddress: row.fixedIpAddress ?? '',
      }),
  },
});

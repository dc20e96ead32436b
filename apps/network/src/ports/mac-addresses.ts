/** MAC addresses that nobody on the network has. Public source: neutron, `conf/common.py`. */
import { randomBytes } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { MacAddressInUseError } from './port.errors.js';

/** OpenStack's own, so that a guest's network cards are told from others. */
const PREFIX = 'fa:16:3e';
const CANDIDATES = 8;

export async function freeMac(tx: RequestContext, networkId: string): Promise<string> {
  const candidates = Array.from({ length: CANDIDATES }, randomMac);
  const [row] = await preparedRows<{ mac: string }>(
    tx.manager,
    `SELECT mac FROM unnest($2::text[]) AS mac
      WHERE NOT EXISTS (SELECT FROM ports WHERE network_id = $1 AND mac_address = mac) LIMIT 1`,
    [networkId, candidates],
  );
  if (!row) throw new MacAddressInUseError(networkId, candidates.join(', '));
  return row.mac;
}

function randomMac(): string {
  const bytes = [...randomBytes(3)].map((byte) => byte.toString(16).padStart(2, '0'));
  return [PREFIX, ...bytes].join(':');
}

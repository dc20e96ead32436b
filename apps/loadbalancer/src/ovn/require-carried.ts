import type { RequestContext } from '@cumulet/common/context/request-context';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { ProviderUnsupportedOptionError } from '../resources/octavia.errors.js';
import { treeRows } from '../tree/tree-rows.js';
import { unsupportedByOvn, unsupportedVip } from './unsupported-by-ovn.js';

/** The provider's, whose load balancers no host runs. */
export const OVN = 'ovn';

/**
 * Judges a tree as the transaction has made it.
 * @throws ProviderUnsupportedOptionError naming what its provider does not carry out
 */
export async function requireCarried(
  tx: RequestContext,
  loadBalancer: LoadBalancer,
): Promise<void> {
  if (loadBalancer.provider !== OVN) return;
  const why = unsupportedByOvn(await treeRows(tx, loadBalancer));
  if (why !== undefined) throw new ProviderUnsupportedOptionError(OVN, why);
}

/** The same of a load balancer without its parts. @throws ProviderUnsupportedOptionError */
export function requireCarriedVip(row: LoadBalancer): void {
  const why = row.provider === OVN ? unsupportedVip(row) : undefined;
  if (why !== undefined) throw new ProviderUnsupportedOptionError(OVN, why);
}

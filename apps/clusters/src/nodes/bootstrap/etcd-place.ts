/** Where a master belongs in etcd: one begins it, the others join those that are there. Pure. */
import type { Node } from '../node.entity.js';
import { ControlPlaneNotReadyError, MasterJoinsFirstError } from '../node.errors.js';

export interface EtcdPlace {
  readonly founder: boolean;
  /** The other masters whose member is up. */
  readonly members: readonly { readonly name: string; readonly ip: string }[];
}

/**
 * @param masters all of the cluster
 * @throws ControlPlaneNotReadyError while another begins
 * @throws MasterJoinsFirstError while another joins: etcd takes one at a time, and hosts have the more
 * for each
 */
export function etcdPlaceOf(node: Node, masters: readonly Node[]): EtcdPlace {
  const others = masters.filter(({ id }) => id !== node.id);
  const members = others
    .filter(({ hasEtcd }) => hasEtcd)
    .flatMap(({ name, address }) => (address === null ? [] : [{ name, ip: address }]));
  const joining = node.usedBy === null ? others.find(isJoining) : undefined;
  if (members.length > 0 && joining) throw new MasterJoinsFirstError(joining.name);
  if (members.length > 0) return { founder: false, members };
  const founder = others.find(({ isFounder }) => isFounder);
  if (founder && !node.isFounder) throw new ControlPlaneNotReadyError(founder.name);
  return { founder: true, members: [] };
}

/** Whether it has its certificates, and is not ready yet. */
function isJoining({ fate, usedBy, status }: Node): boolean {
  const isHere = fate === 'wanted' || fate === 'retiring';
  return isHere && usedBy !== null && (status === 'SILENT' || status === 'IN_PROGRESS');
}

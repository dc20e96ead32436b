/** A master's place in etcd: one founds it, and the others join. Pure. */
import type { Node } from '../node.entity.js';
import { ControlPlaneNotReadyError, MasterJoinsFirstError } from '../node.errors.js';

export interface EtcdPlace {
  readonly founder: boolean;
  /** Other masters with running members. */
  readonly members: readonly { readonly name: string; readonly ip: string }[];
}

/**
 * @param masters all masters of the cluster
 * @throws ControlPlaneNotReadyError while another founds etcd
 * @throws MasterJoinsFirstError while another joins: etcd admits one new member at a time
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

/** Whether it has its certificates but is not ready. */
function isJoining({ fate, usedBy, status }: Node): boolean {
  const isHere = fate === 'wanted' || fate === 'retiring';
  return isHere && usedBy !== null && (status === 'SILENT' || status === 'IN_PROGRESS');
}

/**
 * Rules for node groups and for labels and taints of their nodes. Pure. Public sources: magnum,
 * `api/controllers/v1/nodegroup.py`; Kubernetes, "NodeRestriction".
 */
import type { Labels } from '../labels/labels.js';
import type { NodeGroup, Taint } from './node-group.resource.js';
import { NodeGroupInvalidInputError } from './node-group.errors.js';

type Counts = Pick<NodeGroup, 'name' | 'nodeCount' | 'minNodeCount' | 'maxNodeCount'>;

/** @throws NodeGroupInvalidInputError */
export function checkCounts({
  name,
  nodeCount,
  minNodeCount: min,
  maxNodeCount: max,
}: Counts): void {
  const refuse = (attribute: string, why: string): never => {
    throw new NodeGroupInvalidInputError(attribute, name, why);
  };
  if (max !== null && max < min)
    refuse(
      'max_node_count',
      `min_node_count (${min}) should be less or equal to max_node_count (${max})`,
    );
  if (max !== null && nodeCount > max)
    refuse(
      'max_node_count',
      `node_count (${nodeCount}) should be less or equal to max_node_count (${max})`,
    );
  if (min > nodeCount)
    refuse(
      'min_node_count',
      `min_node_count (${min}) should be less or equal to node_count (${nodeCount})`,
    );
}

/** As in Magnum, 0 means no maximum. */
export function maximumOf(given: number | null): number | null {
  return given === 0 ? null : given;
}

/**
 * Labels and taints on masters are refused, since they could keep the cluster from coming up.
 * @throws NodeGroupInvalidInputError
 */
export function checkRole(
  { name, role }: Pick<NodeGroup, 'name' | 'role'>,
  { nodeLabels, nodeTaints }: Pick<NodeGroup, 'nodeLabels' | 'nodeTaints'>,
): void {
  if (role !== 'master') return;
  const refuse = (attribute: string): never => {
    const why = `${attribute} may not be set on master nodegroups`;
    throw new NodeGroupInvalidInputError(attribute, name, why);
  };
  if (Object.keys(nodeLabels ?? {}).length > 0) refuse('node_labels');
  if ((nodeTaints ?? []).length > 0) refuse('node_taints');
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const NAME = /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** A qualified name of Kubernetes: `example.org/zone`. */
function isKey(key: string): boolean {
  const [name = '', prefix, ...rest] = key.split('/').reverse();
  return rest.length === 0 && NAME.test(name) && (prefix === undefined || PREFIX.test(prefix));
}

function isValue(value: string): boolean {
  return value === '' || NAME.test(value);
}

/** @throws NodeGroupInvalidInputError */
export function taintsOf(group: string, given: readonly Taint[] | null): Taint[] | null {
  if (given === null) return null;
  return given.map((one, at) => {
    const fault = taintFault({ ...one });
    if (fault !== undefined)
      throw new NodeGroupInvalidInputError('node_taints', group, `node_taints[${at}].${fault}`);
    const { key, value = '', effect } = one;
    return { key, value, effect };
  });
}

function taintFault({
  key,
  value = '',
  effect,
  ...rest
}: Record<string, unknown>): string | undefined {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown} is not a field of a taint`;
  if (typeof key !== 'string' || !isKey(key)) return 'key must be a name such as example.org/gpu';
  if (typeof effect !== 'string' || !EFFECTS.includes(effect))
    return `effect must be one of ${EFFECTS.join(', ')}`;
  if (typeof value !== 'string' || !isValue(value))
    return 'value must be a name of at most 63 characters';
  return undefined;
}

/** Reserved prefixes that a kubelet may set on its own node. */
const ALLOWED_PREFIXES = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const ALLOWED = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
];

/** @throws NodeGroupInvalidInputError */
export function checkNodeLabels(group: string, labels: Labels): void {
  for (const [key, value] of Object.entries(labels)) {
    const fault = labelFault(key, value);
    if (fault !== undefined) throw new NodeGroupInvalidInputError('node_labels', group, fault);
  }
}

function labelFault(key: string, value: string): string | undefined {
  if (!isKey(key) || !isValue(value)) return `'${key}=${value}' is not a valid Kubernetes label`;
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isReserved = /(^|\.)(kubernetes|k8s)\.io$/.test(prefix);
  if (!isReserved || ALLOWED_PREFIXES.includes(prefix) || ALLOWED.includes(key)) return undefined;
  return `the kubelet may not give its node the label '${key}', which is of a reserved namespace`;
}

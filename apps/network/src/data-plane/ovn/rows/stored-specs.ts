/**
 * Specs as the rows keep them. An earlier build wrote them without what it did not know of, which
 * counts as none of it.
 */
import { NO_QOS } from '../../data-plane.js';

type Fields = Readonly<Record<string, unknown>>;
/** A spec as it was written. */
type Stored = Fields & Readonly<Record<string, readonly Fields[] | undefined>>;

export type Kind = 'network' | 'port' | 'metadata_port' | 'security_group' | 'router' | 'balancer';

/** What it says stays in its place: a spec that says all is written again as it was. */
const completed = (spec: Fields, missing: Fields): Fields => ({
  ...spec,
  ...Object.fromEntries(Object.entries(missing).filter(([name]) => !Object.hasOwn(spec, name))),
});

const withQos = (spec: Fields): Fields => completed(spec, { qos: NO_QOS });

/** A rule named one prefix before it named those of a group. */
const withPrefixes = ({ remoteIpPrefix: one, ...rule }: Fields): Fields =>
  completed(rule, { remotePrefixes: typeof one === 'string' ? [one] : null });

const COMPLETIONS: Readonly<Record<Kind, (spec: Stored) => Fields>> = {
  network: (spec) => completed(spec, { metadataPort: null, projectId: '' }),
  port: (spec) =>
    completed(spec, {
      qos: NO_QOS,
      tap: null,
      namespace: null,
      isVip: false,
      prepared: [],
      parent: null,
      deviceId: '',
      projectId: '',
    }),
  metadata_port: (spec) => spec,
  balancer: (spec) => spec,
  security_group: (spec) => ({ ...spec, rules: (spec['rules'] ?? []).map(withPrefixes) }),
  router: (spec) => ({
    ...completed(spec, { availabilityZones: [], floatingIps: [], portForwardings: [] }),
    gateways: (spec['gateways'] ?? []).map(withQos),
    floatingIps: (spec['floatingIps'] ?? []).map(withQos),
  }),
};

export function storedSpec<Spec>(kind: Kind, text: string): Spec {
  return COMPLETIONS[kind](JSON.parse(text) as Stored) as Spec;
}

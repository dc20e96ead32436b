/** Public source: Networking API reference, "Routers". */
import { attribute, computed, keptElsewhere, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import { givenDestination, ipAddress } from '../addresses/address-types.js';
import type { AskedFixedIp } from '../ports/port.resource.js';
import { zoneAttributes } from '../availability-zones/zones.js';
import { defineResource, neither } from '../resource/resource.js';
import type { FixedIp } from '../ports/port.resource.js';
import type { AppliedState } from '../resource/applied.states.js';
import type { HostRoute } from '../subnets/subnet.resource.js';

const { flag, listOf, objectOf, orNull, setOf, text, uuid } = types;

export interface Gateway {
  readonly portId: string;
  readonly networkId: string;
  readonly fixedIps: readonly FixedIp[];
}

/** The properties of a row from which clients see its gateways. */
interface Shows {
  readonly gateways: readonly Gateway[];
  readonly enableSnat: boolean;
  readonly qosPolicyId: string | null;
}

/** The gateway in a request: a network, and optionally addresses on it. */
export interface AskedGateway {
  readonly network_id: string;
  readonly external_fixed_ips?: readonly AskedFixedIp[];
  readonly enable_snat?: boolean;
  readonly qos_policy_id?: string | null;
}

const fixedIp = objectOf<Required<AskedFixedIp>>({ subnet_id: uuid, ip_address: ipAddress }, [
  'subnet_id',
  'ip_address',
]) as types.ValueType<AskedFixedIp>;

const gateway = objectOf<Required<AskedGateway>>(
  {
    network_id: uuid,
    external_fixed_ips: listOf(fixedIp),
    enable_snat: flag,
    qos_policy_id: orNull(uuid),
  },
  ['external_fixed_ips', 'enable_snat', 'qos_policy_id'],
) as types.ValueType<AskedGateway>;

/** Null and the empty object stand for no gateway. */
const gatewayInfo: types.ValueType<AskedGateway | null> = {
  ...gateway,
  nullable: true,
  read: (value) => (value === null || isEmptyObject(value) ? null : gateway.read(value)),
};

const gateways = listOf(gateway);

/** The openstack client sends an empty object for an empty list. */
export const gatewayList: typeof gateways = {
  ...gateways,
  read: (value) => (isEmptyObject(value) ? [] : gateways.read(value)),
};

export const routeList = setOf(
  objectOf<HostRoute>({ destination: givenDestination, nexthop: ipAddress }),
);

const shown = ({ networkId, fixedIps }: Gateway): object => ({
  network_id: networkId,
  external_fixed_ips: fixedIps,
});

export const routerResource = defineResource({
  singular: 'router',
  plural: 'routers',
  attributes: {
    adminStateUp: attribute(flag, {
      about: 'Whether the router is administratively up.',
      default: true,
    }),
    status: computed(text(), {
      about: 'The status: ACTIVE, or ERROR if the data plane cannot apply the router.',
      from: ({ state }: { readonly state: AppliedState }) =>
        state === 'error' ? 'ERROR' : 'ACTIVE',
      filter: (values) => (bind, column) =>
        `CASE ${column('state')} WHEN 'error' THEN 'ERROR' ELSE 'ACTIVE' END = ANY(${bind(values)})`,
      sort: false,
    }),
    externalGatewayInfo: keptElsewhere(
      attribute(gatewayInfo, {
        about:
          'The first gateway: its network and addresses, whether it does SNAT, and its QoS policy.',
        from: ({ gateways: [first], enableSnat, qosPolicyId }: Shows) =>
          first
            ? { ...shown(first), enable_snat: enableSnat, qos_policy_id: qosPolicyId ?? undefined }
            : null,
        ...neither,
      }),
    ),
    externalGateways: computed(gatewayList, {
      about: 'All gateways.',
      from: ({ gateways }: Pick<Shows, 'gateways'>) => gateways.map(shown),
      ...neither,
    }),
    enableSnat: shownOnly(flag, {
      about: "Whether traffic through a gateway gets the gateway's address as its source.",
      column: { default: true },
    }),
    ...zoneAttributes,
    routes: attribute(routeList, {
      about: 'The extra routes.',
      given: 'after-creation',
      column: { default: () => `'[]'` },
      ...neither,
    }),
  },
});

function isEmptyObject(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.keys(value).length === 0;
}

export type RouterAttributes = typeof routerResource.attributes;
export type NewRouter = NewBody<RouterAttributes>;
export type RouterChange = ChangeBody<RouterAttributes>;

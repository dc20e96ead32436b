/** The bodies of what routers are asked for besides their attributes. */
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import {
  BadRequestError,
  HTTPBadRequestError,
  InvalidValueError,
} from '@cumulet/common/resources/resource.errors';
import { Refusal, uuid, type ValueType } from '@cumulet/common/resources/value-type';
import type { HostRoute } from '../subnets/subnet.entity.js';
import { gatewayList, routeList, type AskedGateway } from './router.resource.js';
import type { AskedInterface } from './routers.service.js';

const ID: SchemaObject = { type: 'string', format: 'uuid' };

export const INTERFACE_SCHEMA: SchemaObject = {
  type: 'object',
  properties: { subnet_id: ID, port_id: ID },
};

export const ROUTES_SCHEMA = ofRouter('routes', {
  type: 'array',
  items: {
    type: 'object',
    required: ['destination', 'nexthop'],
    properties: { destination: { type: 'string' }, nexthop: { type: 'string' } },
  },
});

export const GATEWAYS_SCHEMA = ofRouter('external_gateways', {
  type: 'array',
  items: {
    type: 'object',
    required: ['network_id'],
    properties: {
      network_id: ID,
      enable_snat: { type: 'boolean' },
      qos_policy_id: { ...ID, nullable: true },
      external_fixed_ips: {
        type: 'array',
        items: { type: 'object', properties: { subnet_id: ID, ip_address: { type: 'string' } } },
      },
    },
  },
});

/** @param body `{"subnet_id": "…"}` or `{"port_id": "…"}` */
export function interfaceOf(body: object): AskedInterface {
  const asked = removedInterfaceOf(body);
  if (asked.subnetId !== undefined && asked.portId !== undefined)
    throw new BadRequestError('router', 'Cannot specify both subnet-id and port-id');
  return asked;
}

/** The same; with both, the port must be on the subnet. */
export function removedInterfaceOf(body: object): AskedInterface {
  const { subnet_id: subnet, port_id: port } = body as Readonly<Record<string, unknown>>;
  if (subnet === undefined && port === undefined)
    throw new BadRequestError('router', 'Either subnet_id or port_id must be specified');
  return { subnetId: idOf(subnet), portId: idOf(port) };
}

/** @param body `{"router": {"routes": [{"destination": "…", "nexthop": "…"}]}}` */
export function routesOf(body: object): HostRoute[] {
  return partOf(body, 'routes', routeList);
}

/** @param body `{"router": {"external_gateways": [{"network_id": "…"}]}}` */
export function gatewaysOf(body: object): AskedGateway[] {
  return partOf(body, 'external_gateways', gatewayList);
}

function idOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  try {
    return uuid.read(value).toLowerCase();
  } catch (error) {
    throw error instanceof Refusal ? new BadRequestError('router', error.message) : error;
  }
}

function partOf<T>(body: object, name: string, type: ValueType<T>): T {
  const { router } = body as { readonly router?: unknown };
  if (typeof router !== 'object' || router === null)
    throw new HTTPBadRequestError("Unable to find 'router' in request body");
  const value = (router as Readonly<Record<string, unknown>>)[name];
  if (value === undefined)
    throw new HTTPBadRequestError(`Unable to find '${name}' in request body`);
  try {
    return type.read(value);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError(name, error.message) : error;
  }
}

function ofRouter(name: string, part: SchemaObject): SchemaObject {
  const router: SchemaObject = { type: 'object', required: [name], properties: { [name]: part } };
  return { type: 'object', required: ['router'], properties: { router } };
}

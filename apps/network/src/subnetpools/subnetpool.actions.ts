/** What clients send and see of a pool's actions. */
import { Shown } from '@cumulet/common/http/shown';
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import {
  HTTPBadRequestError,
  InvalidInputError,
  InvalidValueError,
} from '@cumulet/common/resources/resource.errors';
import { listOf, Refusal } from '@cumulet/common/resources/value-type';
import { ipSubnet } from '../addresses/address-types.js';

export const PREFIXES_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['prefixes'],
  properties: { prefixes: { type: 'array', items: { type: 'string' }, minItems: 1 } },
};

export const ONBOARD_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['network_id'],
  properties: { network_id: { type: 'string', format: 'uuid' } },
};

export class PrefixesView {
  @Shown([String], 'All prefixes that the pool has then.')
  prefixes: readonly string[];
}

export class OnboardedSubnetView {
  @Shown(String, 'The id of a subnet that is of the pool now.')
  id: string;

  @Shown(String, 'Its addresses, which the pool has now.')
  cidr: string;
}

const prefixList = listOf(ipSubnet);

/** @param body `{"prefixes": ["10.0.0.0/16"]}` */
export function readPrefixes(body: object): string[] {
  const { prefixes } = body as { readonly prefixes?: unknown };
  if (!Array.isArray(prefixes) || prefixes.length === 0)
    throw new HTTPBadRequestError('Request body contains invalid data');
  try {
    return prefixList.read(prefixes);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError('prefixes', error.message) : error;
  }
}

/** @param body `{"network_id": "…"}` */
export function readNetworkId(body: object): string {
  const { network_id: id } = body as { readonly network_id?: unknown };
  if (typeof id !== 'string') throw new InvalidInputError('network_id must be specified');
  return id;
}

/** Answers about addresses. Public source: Nova API reference, "Servers IPs". */
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';

/** In the addresses of a server. */
export interface AddressView {
  readonly version: 4 | 6;
  readonly addr: string;
  readonly 'OS-EXT-IPS:type': 'fixed' | 'floating';
  readonly 'OS-EXT-IPS-MAC:mac_addr': string;
}

export interface PlainAddressView {
  readonly version: 4 | 6;
  readonly addr: string;
}

const address: SchemaObject = {
  type: 'object',
  properties: {
    version: { type: 'integer', enum: [4, 6] },
    addr: { type: 'string' },
    'OS-EXT-IPS:type': { type: 'string', enum: ['fixed', 'floating'] },
    'OS-EXT-IPS-MAC:mac_addr': { type: 'string' },
  },
  required: ['version', 'addr'],
};

/** Lists of addresses by the names of their networks. */
export const byNetwork: SchemaObject = {
  additionalProperties: { type: 'array', items: address },
};

export const AddressesAnswer = answerClass('AddressesAnswer', {
  addresses: Shown(Object, 'Its addresses by the names of their networks.', { schema: byNetwork }),
});

/** One property: the network's name, with the addresses in it. */
@AdditionalProperties()
export class AddressesByNetwork {}

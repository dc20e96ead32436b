/** Answers about addresses. Public source: Nova API reference, "Servers IPs". */
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

const byNetwork = {
  additionalProperties: { type: 'array', items: { type: 'object' } },
} as const;

export const AddressesAnswer = answerClass('AddressesAnswer', {
  addresses: Shown(Object, 'Its addresses by the names of their networks.', { schema: byNetwork }),
});

/** One property: the network's name, with the addresses in it. */
@AdditionalProperties()
export class AddressesByNetwork {}

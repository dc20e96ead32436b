import { custom, listOf, text } from '../declare.js';
import { given, textsIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { networkApi } from './network-type.js';

export const addressGroup = restResource({
  name: 'OS::Neutron::AddressGroup',
  description: 'Blocks of addresses that rules of security groups name together.',
  api: networkApi('address_group', 'address-groups'),
  properties: {
    name: text('The name of the group.', { updatable: true }),
    description: text('What it is for.', { updatable: true }),
    addresses: listOf(text('A block.', { constraints: [custom('net_cidr')] }), 'Its blocks.', {
      default: [],
      updatable: true,
    }),
  },
  attributes: {},
  body: (properties, scope) => ({
    ...given(properties, 'description', 'addresses'),
    name: nameOf(properties, scope),
  }),
  change: {
    method: 'PUT',
    createOnly: ['addresses'],
    cleared: { description: '' },
    /** Those that it has are asked for first: one that is missing cannot be taken away. */
    async aside({ row, properties }, { changed }, calls) {
      if (!changed.has('addresses')) return;
      const path = `/v2.0/address-groups/${part(row.physicalId)}`;
      const { address_group: group } = await calls.get(path);
      const present = textsIn((group ?? {}) as typeof properties, 'addresses') ?? [];
      const wanted = textsIn(properties, 'addresses') ?? [];
      const [gone, added] = [without(present, wanted), without(wanted, present)];
      if (added.length > 0) await calls.put(`${path}/add_addresses`, { addresses: added });
      if (gone.length > 0) await calls.put(`${path}/remove_addresses`, { addresses: gone });
    },
  },
});

function without(these: readonly string[], those: readonly string[]): readonly string[] {
  return these.filter((one) => !those.includes(one));
}

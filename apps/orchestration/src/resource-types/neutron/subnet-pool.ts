import { custom, flag, integer, lengths, listOf, named, range, tags, text } from '../declare.js';
import { given, numberIn, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { changesTags, networkApi, tagsOf } from './network-type.js';
import { PropertyError } from '../../constraints/property.errors.js';

const LENGTH = { constraints: [range(0)], updatable: true } as const;

export const subnetPool = restResource({
  name: 'OS::Neutron::SubnetPool',
  description: 'Blocks of addresses that subnets are taken from.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  api: networkApi('subnetpool'),
  properties: {
    name: text('The name of the pool.', { updatable: true }),
    prefixes: listOf(text('A block.', { constraints: [custom('net_cidr')] }), 'Its blocks.', {
      constraints: [lengths(1)],
      required: true,
      updatable: true,
    }),
    address_scope: named('neutron.address_scope', 'The address scope that it is in.', {
      updatable: true,
    }),
    default_quota: integer('How much of it a project may have.', LENGTH),
    default_prefixlen: integer('The prefix length of a subnet that asks for none.', LENGTH),
    min_prefixlen: integer('The least prefix length of a subnet.', LENGTH),
    max_prefixlen: integer('The greatest prefix length of a subnet.', LENGTH),
    is_default: flag('Whether subnets are of it that name none; for administrators.', {
      default: false,
      updatable: true,
    }),
    tenant_id: text('The project whose it is to be; only administrators may choose another.'),
    shared: flag('Whether all projects may use it; for administrators.', { default: false }),
    tags: tags('subnet pool'),
  },
  attributes: {},
  validate(properties) {
    const [least, usual, greatest] = ['min_prefixlen', 'default_prefixlen', 'max_prefixlen'].map(
      (name) => numberIn(properties, name),
    );
    const isLess = (one: number | undefined, other: number | undefined): boolean =>
      one !== undefined && other !== undefined && one > other;
    if (isLess(least, greatest) || isLess(least, usual) || isLess(usual, greatest))
      throw new PropertyError(
        'min_prefixlen',
        `Prefix lengths must not fall: min_prefixlen ${least ?? '-'}, default_prefixlen ${usual ?? '-'}, max_prefixlen ${greatest ?? '-'}.`,
      );
  },
  body: (properties, scope) => ({
    ...given(properties, 'prefixes', 'default_quota', 'default_prefixlen', 'min_prefixlen'),
    ...given(properties, 'max_prefixlen', 'tenant_id'),
    ...tagsOf(properties),
    name: nameOf(properties, scope),
    address_scope_id: textIn(properties, 'address_scope'),
    // Whoever may not do so must not even say that it is not so.
    is_default: properties['is_default'] === true ? true : undefined,
    shared: properties['shared'] === true ? true : undefined,
  }),
  change: {
    method: 'PUT',
    createOnly: ['tags'],
    cleared: { is_default: false },
    kept: ['default_prefixlen', 'min_prefixlen', 'max_prefixlen'],
    aside: changesTags('subnetpools'),
  },
});

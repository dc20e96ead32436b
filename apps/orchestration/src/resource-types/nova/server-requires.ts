/** A card may get an address of any subnet of its network. */
import type { ResourceDefinition } from '../../template/read-template.js';
import { entryOf, expressionOf, isSameExpression, itemsOf, ofType } from '../implicit-requires.js';

export function serverRequires(
  one: ResourceDefinition,
  all: Readonly<Record<string, ResourceDefinition>>,
): readonly string[] {
  const cards = itemsOf(expressionOf(one, 'networks')).filter(
    (card) => entryOf(card, 'port') === undefined,
  );
  const isNeeded = (subnet: ResourceDefinition): boolean => {
    const network = expressionOf(subnet, 'network', 'network_id');
    return cards.some((card) => {
      const wanted = entryOf(card, 'network', 'uuid');
      // What names no network may be on any.
      return wanted === undefined || isSameExpression(wanted, network);
    });
  };
  return ofType(all, 'OS::Neutron::Subnet')
    .filter(([, subnet]) => isNeeded(subnet))
    .map(([name]) => name);
}

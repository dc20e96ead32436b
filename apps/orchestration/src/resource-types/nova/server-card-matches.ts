/** Which of a server's cards is which: as a template says it, and as compute has it. */
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { isGiven, mapIn, textIn, withoutNulls } from '../property-values.js';

/** A card as compute has it. */
export interface Interface {
  readonly port: string;
  readonly network: string;
  readonly subnets: readonly string[];
  readonly addresses: readonly string[];
}

/** A card of before, and as what it is there, unless it was taken away. */
export interface Present {
  readonly card: JsonObject;
  readonly as: Interface | undefined;
}

export type Ports = readonly string[];

/** What the cards of before have become, in their order. */
export function presentOf(
  cards: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly Present[] {
  const found = interfacesFor(cards, interfaces);
  return cards.map((card, at) => ({ card, as: found[at] }));
}

/**
 * Which card of before each wanted one is. Those that say most choose first: one that names a network
 * alone might take the only card that another can be.
 */
export function matchesOf(
  wanted: readonly JsonObject[],
  present: readonly Present[],
  ownPorts: Ports,
): readonly (Present | undefined)[] {
  const found: (Present | undefined)[] = wanted.map(() => undefined);
  for (const name of ['port', 'fixed_ip', 'subnet', 'network'])
    for (const isMatch of [isWrittenAs, isFitting])
      for (const [at, card] of wanted.entries()) {
        if (found[at] !== undefined || !isGiven(card, name)) continue;
        const left = present.filter((one) => !found.includes(one));
        found[at] = left.find((one) => isMatch(card, one, ownPorts));
      }
  return found;
}

/** But for what may change while a card stays: its tag, which compute never changes, and extras. */
function isWrittenAs(card: JsonObject, { card: before, as }: Present, own: Ports): boolean {
  const [one, other] = [card, before].map((each) => {
    const { tag: _, port_extra_properties: __, ...rest } = withoutNulls(each);
    return rest;
  });
  return isSame(one, other) && mayTakeExtras(card, before, as, own);
}

/** Whether the card is already what is wanted, though this was said in other words. */
function isFitting(card: JsonObject, { card: before, as }: Present, own: Ports): boolean {
  if (!as) return false;
  const says = (name: string, has: readonly string[]): boolean =>
    !isGiven(card, name) || has.includes(textIn(card, name) ?? '');
  return (
    says('port', [as.port]) &&
    says('network', [as.network]) &&
    says('subnet', as.subnets) &&
    says('fixed_ip', as.addresses) &&
    textIn(card, 'floating_ip') === textIn(before, 'floating_ip') &&
    mayTakeExtras(card, before, as, own)
  );
}

/** More is said of ports alone that were made for the server; and with nothing said, there is none. */
function mayTakeExtras(
  card: JsonObject,
  before: JsonObject,
  as: Interface | undefined,
  own: Ports,
): boolean {
  const [extra, old] = [card, before].map((one) => mapIn(one, 'port_extra_properties'));
  if (isGiven(card, 'port') || isSame(old ?? {}, extra ?? {})) return true;
  return extra !== undefined && as !== undefined && own.includes(as.port);
}

/** In the order of the cards: those that say which first, as the others take what is left. */
function interfacesFor(
  cards: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly (Interface | undefined)[] {
  const left = [...interfaces];
  const found: (Interface | undefined)[] = cards.map(() => undefined);
  const matches: ((card: JsonObject, one: Interface) => boolean)[] = [
    (card, { port }) => textIn(card, 'port') === port,
    (card, { addresses }) => addresses.includes(textIn(card, 'fixed_ip') ?? ''),
    (card, { subnets }) => subnets.includes(textIn(card, 'subnet') ?? ''),
    (card, { network }) => textIn(card, 'network') === network,
  ];
  for (const isMatch of matches)
    for (const [at, card] of cards.entries()) {
      if (found[at] !== undefined) continue;
      const index = left.findIndex((one) => isMatch(card, one));
      if (index >= 0) found[at] = left.splice(index, 1)[0];
    }
  return found;
}

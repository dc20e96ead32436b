/** Which objects a rule is for, in XML. Public source: Amazon S3 API reference, "LifecycleRuleFilter". */
import { S3Error } from '../http/s3-error.js';
import { integerOf, malformed, requireOnly, type XmlElement, type XmlTree } from '../http/xml.js';
import type { LifecycleFilter } from './lifecycle-rule.js';

const CONDITIONS = ['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan'];

/**
 * Amazon wants several conditions within `And`; here they may also stand beside it: all have to hold.
 * @throws S3Error MalformedXML, InvalidRequest
 */
export function filterOf(filter: XmlElement): LifecycleFilter {
  requireOnly(filter, [...CONDITIONS, 'And']);
  const and = filter.child('And');
  if (and) requireOnly(and, CONDITIONS);
  const places = and ? [filter, and] : [filter];
  const prefix = prefixOf(places.flatMap((place) => place.child('Prefix')?.text ?? []));
  const tags = tagsOf(places.flatMap((place) => place.children('Tag')));
  const above = sizesOf(places, 'ObjectSizeGreaterThan');
  const below = sizesOf(places, 'ObjectSizeLessThan');
  const [sizeAbove, sizeBelow] = [Math.max(...above), Math.min(...below)];
  if (sizeAbove >= sizeBelow) {
    throw new S3Error('InvalidRequest', {
      message: "'ObjectSizeGreaterThan' has to be a value less than 'ObjectSizeLessThan'.",
    });
  }
  return {
    ...(prefix === undefined ? {} : { prefix }),
    ...(tags === undefined ? {} : { tags }),
    ...(above.length === 0 ? {} : { sizeAbove }),
    ...(below.length === 0 ? {} : { sizeBelow }),
  };
}

export function showFilter({ prefix, tags = {}, sizeAbove, sizeBelow }: LifecycleFilter): XmlTree {
  const pairs = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const others = pairs.length + Number(sizeAbove !== undefined) + Number(sizeBelow !== undefined);
  const conditions = {
    Prefix: prefix === '' && others > 0 ? undefined : prefix,
    Tag: pairs,
    ObjectSizeGreaterThan: sizeAbove,
    ObjectSizeLessThan: sizeBelow,
  };
  const isSingle = others + Number(Boolean(prefix)) <= 1;
  return isSingle ? conditions : { And: conditions };
}

/** The longer of two that can both hold. */
function prefixOf(prefixes: readonly string[]): string | undefined {
  const [first, second] = prefixes;
  if (first === undefined || second === undefined) return first ?? second;
  if (first.startsWith(second)) return first;
  if (second.startsWith(first)) return second;
  throw malformed(`No key begins with both "${first}" and "${second}".`);
}

function tagsOf(elements: readonly XmlElement[]): Readonly<Record<string, string>> | undefined {
  if (elements.length === 0) return undefined;
  const tags = new Map(elements.map((tag) => [tag.need('Key').text, tag.need('Value').text]));
  if (tags.size === elements.length) return Object.fromEntries(tags);
  throw new S3Error('InvalidRequest', { message: 'Duplicate Tag Keys are not allowed.' });
}

function sizesOf(places: readonly XmlElement[], name: string): number[] {
  return places.flatMap((place) => {
    const element = place.child(name);
    if (!element) return [];
    const size = integerOf(element);
    if (size >= 0) return [size];
    throw malformed(`${name} must be a number of bytes, and not ${size}.`);
  });
}

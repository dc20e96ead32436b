/** A resource that is created together with the one whose body it is in. */
import type { Attributes, NewBody } from '@cumulet/common/resources/attribute';
import { readAttributes } from '@cumulet/common/resources/read-body';
import { newSchema } from '@cumulet/common/resources/resource.openapi';
import type { Resource } from '@cumulet/common/resources/resource';
import { valueType, type ValueType } from '@cumulet/common/resources/value-type';

/**
 * An object with the attributes of a new resource. What is wrong with it is refused by the path of
 * the attribute: `Invalid input for listeners[0].default_pool.protocol. Reason: …`.
 * @param without attributes that follow from where it stands, such as the id of its parent
 * @throws HTTPBadRequestError when it is read
 */
export function nested<A extends Attributes, const W extends keyof A & string = never>(
  { attributes }: Pick<Resource<A>, 'attributes'>,
  without: readonly W[] = [],
): ValueType<NewBody<Omit<A, W>>> {
  const own = Object.entries(attributes).filter(([name]) => !without.includes(name as W));
  const part = { attributes: Object.fromEntries(own) as unknown as Omit<A, W> };
  return {
    ...valueType(Object, (value, path = '') => readAttributes(part, value, `${path}.`)),
    schema: newSchema(part),
  };
}

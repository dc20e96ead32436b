/** Schemas of an OpenAPI document, made strict for tests. */

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Versioned>>;
  readonly required?: readonly string[];
}

interface Versioned {
  readonly oneOf?: readonly Versioned[];
  readonly 'x-openstack'?: {
    readonly 'min-ver'?: string;
    readonly 'max-ver'?: string;
    readonly optional?: boolean;
  };
}

/**
 * A schema that refuses, at every level, properties which it does not declare, unless it says that
 * there may be more. Of properties with microversions, those of `minor` are required and the others
 * refused.
 * @param minor 26 for 2.26; absent if the answer has no microversion
 */
export function closedSchemas(schema: object, minor: number | undefined): object {
  return closed(schema, minor) as object;
}

function closed(node: unknown, minor: number | undefined): unknown {
  if (Array.isArray(node)) return node.map((one) => closed(one, minor));
  if (typeof node !== 'object' || node === null) return node;
  const object = isObjectSchema(node) ? { ...CLOSED, ...ofVersion(node, minor) } : node;
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, closed(value, minor)]),
  );
}

const CLOSED = { additionalProperties: false };

function isObjectSchema(node: object): node is ObjectSchema {
  return 'type' in node && 'properties' in node && [node.type].flat().includes('object');
}

function ofVersion(schema: ObjectSchema, minor = 1): ObjectSchema {
  const required = [...(schema.required ?? [])];
  const properties: Record<string, Versioned> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const alternatives = property.oneOf?.some((one) => 'x-openstack' in one)
      ? property.oneOf
      : [property];
    const current = alternatives.find((one) => isOfVersion(one, minor));
    if (!current) continue;
    properties[name] = current;
    const { 'x-openstack': versions } = current;
    if (versions && versions.optional !== true) required.push(name);
  }
  return { ...schema, properties, required };
}

function isOfVersion({ 'x-openstack': versions }: Versioned, minor: number): boolean {
  const { 'min-ver': min, 'max-ver': max } = versions ?? {};
  return (
    (min === undefined || minorOf(min) <= minor) && (max === undefined || minor <= minorOf(max))
  );
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}

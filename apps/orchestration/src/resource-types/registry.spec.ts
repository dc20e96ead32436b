import { describe, expect, it } from '@jest/globals';
import type { PropertySchema } from './property-schema.js';
import { ALIASES, findResourceType, RESOURCE_TYPES } from './registry.js';

const types = [...RESOURCE_TYPES.values()];

/** All schemata of a property, by path. */
function schemataOf(path: string, schema: PropertySchema): [string, PropertySchema][] {
  const inner = Object.entries(schema.schema ?? {});
  return [[path, schema], ...inner.flatMap(([name, one]) => schemataOf(`${path}.${name}`, one))];
}

describe('the table of types', () => {
  it.each(types.map((type) => [type.name, type] as const))('tells all of %s', (_, type) => {
    expect(type.description).toMatch(/^[A-Z].*\.$/s);
    const schemata = Object.entries(type.properties).flatMap(([name, one]) =>
      schemataOf(name, one),
    );
    for (const [path, schema] of schemata) {
      expect([path, schema.description]).toEqual([path, expect.stringMatching(/^[A-Z].*[.]$/s)]);
      const { replacedBy } = schema.translation ?? {};
      if (replacedBy !== undefined) expect(schema.support?.status).toMatch(/HIDDEN|DEPRECATED/);
      if (schema.required) expect([path, schema.default]).toEqual([path, undefined]);
    }
    for (const { description } of Object.values(type.attributes))
      expect(description).toMatch(/^[A-Z].*\.$/s);
  });

  it('has each name once, and each other name for one of them', () => {
    for (const [alias, name] of Object.entries(ALIASES)) {
      expect(RESOURCE_TYPES.has(alias)).toBe(false);
      expect(findResourceType(alias)).toBe(RESOURCE_TYPES.get(name));
      expect(RESOURCE_TYPES.has(name)).toBe(true);
    }
  });

  it.each(['OS::Nowhere::Thing', 'toString', ''])('knows no %j', (name) => {
    expect(findResourceType(name)).toBeUndefined();
  });
});

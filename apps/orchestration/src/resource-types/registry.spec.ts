import { describe, expect, it } from '@jest/globals';
import { expectRows } from '@cumulet/testing/expect-rows';
import { FORMAT_CONSTRAINTS } from '../constraints/format-constraints.js';
import {
  SERVICE_CONSTRAINTS,
  UNSUPPORTED_CONSTRAINTS,
} from '../constraints/service-constraints.js';
import type { PropertySchema } from '../constraints/property-schema.js';
import type { ResourceType } from './resource-type.js';
import { ALIASES, findResourceType, RESOURCE_TYPES } from './registry.js';

const types = [...RESOURCE_TYPES.values()];

/** All nested schemata of a property, by path. */
function schemataOf(path: string, schema: PropertySchema): [string, PropertySchema][] {
  const inner = Object.entries(schema.schema ?? {});
  return [[path, schema], ...inner.flatMap(([name, one]) => schemataOf(`${path}.${name}`, one))];
}

describe('the table of types', () => {
  const judged = (judge: (type: ResourceType) => void) => (): Promise<void> =>
    expectRows(types, ({ name }) => name, judge);

  it(
    'describes all of each',
    judged((type) => {
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
    }),
  );

  it(
    'can check all of each',
    judged((type) => {
      const known = [FORMAT_CONSTRAINTS, SERVICE_CONSTRAINTS, UNSUPPORTED_CONSTRAINTS].flatMap(
        (table: object) => Object.keys(table),
      );
      for (const [name, one] of Object.entries(type.properties))
        for (const [path, { constraints = [], translation }] of schemataOf(name, one)) {
          const custom = constraints.flatMap((each) => (each.kind === 'custom' ? [each.name] : []));
          const { resolves = custom[0] } = translation ?? {};
          for (const each of custom)
            expect([path, known]).toEqual([path, expect.arrayContaining([each])]);
          if (translation?.resolves !== undefined)
            expect(Object.keys(SERVICE_CONSTRAINTS)).toContain(resolves);
        }
    }),
  );

  it('has each name once, and each alias for one type', () => {
    for (const [alias, name] of Object.entries(ALIASES)) {
      expect(RESOURCE_TYPES.has(alias)).toBe(false);
      expect(findResourceType(alias)).toBe(RESOURCE_TYPES.get(name));
      expect(RESOURCE_TYPES.has(name)).toBe(true);
    }
  });

  it("knows the types that pass the stack's trust on", () => {
    const names = types.filter(({ passesTrustOn }) => passesTrustOn).map(({ name }) => name);
    expect(names.sort()).toEqual(['OS::Heat::Stack', 'OS::Magnum::Cluster']);
  });

  it.each(['OS::Nowhere::Thing', 'toString', ''])('does not have %j', (name) => {
    expect(findResourceType(name)).toBeUndefined();
  });
});

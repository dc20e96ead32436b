import { expect, it } from '@jest/globals';
import { expectRows } from '@cumulet/testing/expect-rows';
import { FORMATS } from '../formats/formats.js';
import type { Json } from '../../json/json.js';
import { TemplateError } from '../template.errors.js';
import { lateResultOf, resultOf } from './functions.fixture.js';

const SCALARS: readonly Json[] = ['a', '', '0', 'md5', 1, -1, 1.5, true, false, null, '__proto__'];
const KEYS = [
  'a',
  'template',
  'params',
  'for_each',
  'permutations',
  'keys',
  'host',
  'port',
  'query',
];

/** Reproducible for a seed. */
function randomValues(seed: number): (depth: number) => Json {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * limit);
  };
  const value = (depth: number): Json => {
    const kind = depth === 0 ? 0 : below(3);
    if (kind === 0) {
      return SCALARS[below(SCALARS.length)] ?? null;
    }
    const items = Array.from({ length: below(4) }, () => value(depth - 1));
    return kind === 1
      ? items
      : Object.fromEntries(items.map((item) => [KEYS[below(KEYS.length)] ?? 'b', item]));
  };
  return value;
}

const HOT = FORMATS.filter(({ kind }) => kind === 'hot').flatMap(({ version, functions }) =>
  [...functions.keys()].map((name) => [name, version] as const),
);

it('every function accepts any argument, or reports a fault', () =>
  expectRows(
    HOT,
    ([name, version]) => `${name} of ${version}`,
    ([name, version]) => {
      const value = randomValues(name.length * 1_000 + Number(version.slice(2, 4)));
      for (let round = 0; round < 100; round += 1) {
        const argument = value(3);
        for (const read of [
          () => resultOf({ [name]: argument }, version),
          () => lateResultOf([name, argument, null, version]),
        ]) {
          try {
            expect(read()).toBeDefined();
          } catch (error) {
            expect(error).toBeInstanceOf(TemplateError);
          }
        }
      }
    },
  ));

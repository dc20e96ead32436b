/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::RandomString. */
import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../json/json.js';
import { attribute, integer, listOf, mapOf, oneOf, range, text } from '../declare.js';
import { asText, mapsIn, numberIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const [LOWER, DIGITS] = ['abcdefghijklmnopqrstuvwxyz', '0123456789'];

const CLASSES: Readonly<Record<string, string>> = {
  lettersdigits: LOWER + LOWER.toUpperCase() + DIGITS,
  letters: LOWER + LOWER.toUpperCase(),
  lowercase: LOWER,
  uppercase: LOWER.toUpperCase(),
  digits: DIGITS,
  hexdigits: `${DIGITS}ABCDEF`,
  octdigits: '01234567',
};

const STANDARD = { class: 'lettersdigits', min: 1 };

const atLeast = (what: string) =>
  integer(`How many characters of the ${what} there are at least.`, {
    default: 1,
    constraints: [range(1, 512)],
  });

export const randomString: ResourceType = {
  name: 'OS::Heat::RandomString',
  description: 'A random text, such as a password, that stays the same until it is replaced.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {
    length: integer('Its length.', { default: 32, constraints: [range(1, 512)] }),
    sequence: text('The class that its characters are of.', {
      constraints: [oneOf(...Object.keys(CLASSES))],
      support: { status: 'HIDDEN', version: '5.0.0', message: 'Use property character_classes.' },
    }),
    character_classes: listOf(
      mapOf(
        {
          class: text('The class.', {
            default: STANDARD.class,
            constraints: [oneOf(...Object.keys(CLASSES))],
          }),
          min: atLeast('class'),
        },
        'A class of characters.',
      ),
      'Classes that its characters are of.',
      { default: [STANDARD] },
    ),
    character_sequences: listOf(
      mapOf(
        { sequence: text('The characters.', { required: true }), min: atLeast('sequence') },
        'Characters.',
      ),
      'Further characters that it has.',
    ),
    salt: text('Any text: another one makes another random text.'),
  },
  attributes: { value: attribute('string', 'The random text.') },

  validate(properties) {
    const least = setsOf(properties).reduce((sum, { min }) => sum + min, 0);
    if (least > lengthOf(properties))
      throw new PropertyError(
        'length',
        'Length property cannot be smaller than combined character class and character sequence minimums',
      );
  },

  create: (scope) =>
    Promise.resolve({
      physicalId: scope.physicalName(),
      data: { value: generated(scope.properties) },
    }),
  remove: () => Promise.resolve(),
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
  referenceOf: ({ name, data }) => data['value'] ?? name,
  attributesOf: ({ row }, names) =>
    Promise.resolve(
      Object.fromEntries(
        names.map((name) => [name, name === 'value' ? (row.data['value'] ?? null) : null]),
      ),
    ),
};

interface CharacterSet {
  readonly characters: string;
  readonly min: number;
}

function setsOf(properties: Properties): CharacterSet[] {
  const { sequence } = properties;
  const classes: readonly JsonObject[] =
    typeof sequence === 'string'
      ? [{ class: sequence, min: 1 }]
      : (mapsIn(properties, 'character_classes') ?? []);
  const sequences = mapsIn(properties, 'character_sequences') ?? [];
  return [
    ...sequences.map(({ sequence: characters, min }) => ({
      characters: asText(characters),
      min: Number(min ?? 1),
    })),
    ...classes.map((one) => ({
      characters: CLASSES[asText(one['class'] ?? STANDARD.class)] ?? '',
      min: Number(one['min'] ?? 1),
    })),
  ];
}

function lengthOf(properties: Properties): number {
  return numberIn(properties, 'length') ?? 32;
}

/** The minimum of each set, the rest from all, in random order. */
function generated(properties: Properties): string {
  const sets = setsOf(properties);
  const all = sets.map(({ characters }) => characters).join('') || CLASSES['lettersdigits'] || '';
  const needed = sets.flatMap(({ characters, min }) =>
    Array.from({ length: min }, () => oneIn(characters)),
  );
  const rest = Array.from({ length: Math.max(0, lengthOf(properties) - needed.length) }, () =>
    oneIn(all),
  );
  return shuffled([...needed, ...rest]).join('');
}

function oneIn(characters: string): string {
  return characters.charAt(randomInt(characters.length));
}

function shuffled(items: string[]): string[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [items[at], items[other]] = [items[other] ?? '', items[at] ?? ''];
  }
  return items;
}

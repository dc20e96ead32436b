import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  StringField,
  StringListField,
  StringMapField,
  UnsupportedField,
  UuidField,
} from './fields.js';
import { validated } from './validation.fixture.js';

/** A DTO whose one property, `it`, has this field. */
function dtoOf(field: PropertyDecorator): new () => object {
  class Dto {
    it: unknown;
  }
  field(Dto.prototype, 'it');
  return Dto;
}

const UUID = '0123abcd-4567-89ab-cdef-0123456789ab';
const isEven = (value: unknown): boolean => typeof value === 'number' && value % 2 === 0;

const map =
  'must be an object of at most 2 keys, with keys of 1 to 255 and values of at most 255 characters';
const storable = 'must hold neither a null character nor half of a surrogate pair';

type Row = [string, PropertyDecorator, unknown[], [unknown, string][]];

const rows: Row[] = [
  [
    'StringField',
    StringField({ min: 2, max: 4 }),
    ['ab', 'abcd', '😀😀'],
    [
      ['a', 'must be longer than or equal to 2 characters'],
      ['abcde', 'must be shorter than or equal to 4 characters'],
      [5, 'must be a string'],
      [['ab'], 'must be a string'],
      [null, 'is required'],
      ['a\0b', storable],
      ['a\ud800', storable],
    ],
  ],
  [
    'StringField with a pattern',
    StringField({ pattern: /^\d+$/, patternText: 'must be digits' }),
    ['12'],
    [['1a', 'must be digits']],
  ],
  [
    'UuidField',
    UuidField(),
    [UUID, UUID.replaceAll('-', '')],
    [
      ['x', 'must be a UUID'],
      [`${UUID}0`, 'must be shorter than or equal to 36 characters'],
    ],
  ],
  [
    'IntegerField',
    IntegerField({ min: 1, max: 9 }),
    [1, 9],
    [
      [0, 'must not be less than 1'],
      [10, 'must not be greater than 9'],
      [1.5, 'must be an integer number'],
      ['5', 'must be an integer number'],
      [true, 'must be an integer number'],
    ],
  ],
  [
    'IntegerField from text',
    IntegerField({ min: -1, fromText: true }),
    ['-1', '7', 7],
    [
      ['', 'must be an integer number'],
      ['7x', 'must be an integer number'],
      ['99999999999', 'must not be greater than 2147483647'],
    ],
  ],
  [
    'BooleanField',
    BooleanField(),
    [true, false],
    [
      ['true', 'must be a boolean value'],
      [1, 'must be a boolean value'],
    ],
  ],
  [
    'BooleanField from text',
    BooleanField({ fromText: true }),
    ['True', '0', 'yes', 'off'],
    [['maybe', 'must be a boolean value']],
  ],
  ['EnumField', EnumField(['SOFT', 'HARD']), ['SOFT'], [['soft', 'must be one of SOFT, HARD']]],
  [
    'StringListField',
    StringListField({ max: 3, maxItems: 2, pattern: /^[^,]+$/, patternText: 'must hold no comma' }),
    [[], ['a', 'b']],
    [
      ['a', 'must be an array'],
      [['a', 'b', 'c'], 'must contain no more than 2 elements'],
      [[5], 'each value in it must be a string'],
      [['abcd'], 'each value in it must be shorter than or equal to 3 characters'],
      [['a,'], 'each value in it must hold no comma'],
      [['\0'], `each value in it ${storable}`],
    ],
  ],
  [
    'StringMapField',
    StringMapField({ maxKeys: 2 }),
    [{}, { a: 'b' }],
    [
      [{ a: 5 }, map],
      [{ '': 'a' }, map],
      [{ a: 'x'.repeat(256) }, map],
      [{ a: '1', b: '2', c: '3' }, map],
      [['a'], map],
      ['a', map],
      [{ a: '\0' }, map],
    ],
  ],
  [
    'CheckedField',
    CheckedField(isEven, 'must be even', { type: 'integer' }),
    [2],
    [[3, 'must be even']],
  ],
  [
    'UnsupportedField',
    UnsupportedField('volumes are not offered'),
    [undefined, null],
    [
      ['x', 'is not supported: volumes are not offered'],
      [[], 'is not supported: volumes are not offered'],
      ['', 'is not supported: volumes are not offered'],
    ],
  ],
  [
    'UnsupportedField that may be empty',
    UnsupportedField('volumes are not offered', { orEmpty: true }),
    [undefined, null, ''],
    [['x', 'is not supported: volumes are not offered']],
  ],
];

describe.each(rows)('%s', (_, field, good, bad) => {
  const dto = dtoOf(field);

  it.each(good.map((value) => ({ value })))('accepts $value', async ({ value }) => {
    expect(await validated(dto, { it: value })).toBeInstanceOf(dto);
  });

  it.each(bad.map(([value, message]) => ({ value, message })))(
    'refuses $value: $message',
    async ({ value, message }) => {
      const said = message.startsWith('each value in it') ? message : `it ${message}`;
      expect(await validated(dto, { it: value })).toBe(`Invalid input: ${said}.`);
    },
  );
});

describe('options of fields', () => {
  it('optional fields may be absent, and not null', async () => {
    const dto = dtoOf(StringField({ optional: true }));
    expect(await validated(dto, {})).toBeInstanceOf(dto);
    expect(await validated(dto, { it: null })).toBe('Invalid input: it must be a string.');
  });

  it('nullable fields may be null, and not absent', async () => {
    const dto = dtoOf(StringField({ nullable: true }));
    expect(await validated(dto, { it: null })).toEqual({ it: null });
    expect(await validated(dto, {})).toBe('Invalid input: it is required.');
  });

  it.each([
    [IntegerField({ fromText: true }), '12', 12],
    [BooleanField({ fromText: true }), 'Yes', true],
    [BooleanField({ fromText: true }), 'f', false],
  ])('text becomes what it stands for (%#)', async (field, text, value) => {
    expect(await validated(dtoOf(field), { it: text })).toEqual({ it: value });
  });
});

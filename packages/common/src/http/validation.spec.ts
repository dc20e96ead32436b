import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { InvalidInputError } from '../errors/domain-error.js';
import {
  CheckedField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
  StringMapField,
} from './fields.js';
import { createValidationPipe } from './validation.js';
import { validated } from './validation.fixture.js';

class Wheel {
  @StringField()
  rim: string;
}

class Car {
  @StringField()
  name: string;

  @ListField(() => Wheel, { optional: true, maxItems: 4 })
  wheels?: Wheel[];
}

class CarBody {
  @ObjectField(() => Car)
  car: Car;
}

class Bag {
  @StringMapField()
  labels: Record<string, string>;

  @CheckedField(() => true, 'is anything', {})
  free: unknown;
}

/** Names that every object has, or that stand for its prototype. */
const ODD_KEYS = ['__proto__', 'constructor', 'hasOwnProperty', 'prototype', 'toString', 'valueOf'];

describe('the validation of a query', () => {
  const pipe = createValidationPipe();
  const ask = (value: unknown, metatype: unknown, data?: string): unknown =>
    pipe.transform(value, { type: 'query', metatype: metatype as typeof Car, data });

  class Query {
    @StringField({ optional: true })
    name?: string;

    @IntegerField({ optional: true })
    limit = 10;
  }

  it('uses one frozen DTO for all empty queries', async () => {
    const empty = await ask({}, Query);
    expect(empty).toEqual({ limit: 10 });
    expect(await ask({}, Query)).toBe(empty);
    expect(empty).toBeInstanceOf(Query);
    expect(Object.isFrozen(empty)).toBe(true);
    expect(await ask({ name: 'a' }, Query)).toEqual({ name: 'a', limit: 10 });
  });

  it('skips parameters that are bound by name, also after an empty query', async () => {
    expect(await ask({}, Object)).toEqual({});
    expect(await ask(undefined, Object, 'prefer')).toBeUndefined();
    expect(await ask(undefined, String, 'name')).toBeUndefined();
  });
});

describe('validation', () => {
  it('builds nested DTOs', async () => {
    const body = (await validated(CarBody, {
      car: { name: 'a', wheels: [{ rim: 'b' }] },
    })) as CarBody;
    expect(body.car.wheels?.[0]).toBeInstanceOf(Wheel);
  });

  it.each([
    [{ car: { name: 5 } }, 'Invalid input: car.name must be a string.'],
    [{ car: {} }, 'Invalid input: car.name is required.'],
    [{}, 'Invalid input: car is required.'],
    [{ car: 'a' }, 'Invalid input: car must be an object.'],
    [{ car: [] }, 'Invalid input: car must be an object.'],
    [{ car: null }, 'Invalid input: car is required.'],
    [
      { car: { name: 'a', colour: 'red' } },
      'Invalid input: car.colour is not a property that this operation knows.',
    ],
    [
      { car: { name: 'a' }, lorry: {} },
      'Invalid input: lorry is not a property that this operation knows.',
    ],
    [
      { car: { name: 'a', wheels: [{ rim: 'b' }, { rim: '' }] } },
      'Invalid input: car.wheels.1.rim must be longer than or equal to 1 characters.',
    ],
    [{ car: { name: 'a', wheels: ['b'] } }, 'Invalid input: car.wheels.0 must be an object.'],
    ...[[[]], [[{ rim: 'b' }]]].map((wheels): [object, string] => [
      { car: { name: 'a', wheels } },
      'Invalid input: each value in car.wheels must be an object.',
    ]),
    [
      { car: { name: 'a', wheels: [1, 2, 3, 4, 5].map((rim) => ({ rim: String(rim) })) } },
      'Invalid input: car.wheels must contain no more than 4 elements.',
    ],
  ])('names the field by its full path: %p', async (body, message) => {
    expect(await validated(CarBody, body)).toBe(message);
  });

  it.each([undefined, null, 'text', 5, true, []])(
    'refuses a body that is no object: %p',
    async (body) => {
      expect(await validated(CarBody, body)).toBe('Invalid input: the body must be an object.');
    },
  );

  it('names at most five faults', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`x${at}`, 1]));
    expect(await validated(CarBody, { car: { name: 'a', ...unknown } })).toMatch(/, and 4 more\.$/);
  });

  it('throws an error of kind invalid', async () => {
    const pipe = createValidationPipe();
    await expect(pipe.transform({}, { type: 'body', metatype: CarBody })).rejects.toThrow(
      InvalidInputError,
    );
  });

  it.each(ODD_KEYS)('%s is an ordinary key', async (key) => {
    const body: unknown = JSON.parse(`{"car": {"name": "a", "${key}": {"admin": true}}}`);
    expect(await validated(CarBody, body)).toBe(
      `Invalid input: car.${key} is not a property that this operation knows.`,
    );
    const named: unknown = JSON.parse(
      `{"labels": {"${key}": "b"}, "free": [{"${key}": {"c": 1}}]}`,
    );
    const bag = (await validated(Bag, named)) as Bag;
    expect(JSON.stringify(bag)).toBe(JSON.stringify(named));
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('checks no rules if there is an unknown property', async () => {
    const wheels = [{ rim: 5, [`x${'y'.repeat(300)}`]: 1 }];
    const message = await validated(CarBody, { car: { wheels, colour: 'red' } });
    expect(message).toBe(
      `Invalid input: car.wheels.0.x${'y'.repeat(99)} is not a property that this operation knows; car.colour is not a property that this operation knows.`,
    );
  });
});

describe('a query', () => {
  it('ignores unknown names', async () => {
    expect(await validated(Wheel, { rim: 'a', colour: 'red' }, 'query')).toEqual({ rim: 'a' });
  });

  it('refuses an invalid value of a known name', async () => {
    expect(await validated(Wheel, { rim: ['a', 'b'] }, 'query')).toBe(
      'Invalid input: rim must be a string.',
    );
  });
});

import { expect, it } from '@jest/globals';
import { StringField } from '../http/fields.js';
import { Shown, viewOf } from '../http/shown.js';
import { createValidationPipe } from '../http/validation.js';
import { attribute } from './attribute.js';
import { answerOf, bodyOf } from './classes.js';
import { text } from './field-type.js';

const RESOURCE = {
  name: attribute(text(), { about: 'The name.', required: true }),
  parentId: attribute(text(), { about: 'The ID of the parent.' }),
};

class Base {
  @StringField({ optional: true })
  note?: string;
}

class Body extends bodyOf(RESOURCE, { base: Base }) {}

const pipe = createValidationPipe();

async function isTaken(given: object): Promise<boolean> {
  try {
    return (await pipe.transform(given, { type: 'body', metatype: Body })) instanceof Body;
  } catch {
    return false;
  }
}

it.each([
  [{ name: 'a', note: 'b' }, true],
  [{ note: 'b' }, false],
  [{ name: 'a', note: 1 }, false],
  [{ name: 'a', other: 'b' }, false],
])('takes of %j what the base and the attributes have: %j', async (given, expected) => {
  await expect(isTaken(given)).resolves.toBe(expected);
});

it('shows an attribute as the answer overrides it', () => {
  class Answer extends answerOf(RESOURCE, {
    parent_id: Shown<{ parentId: string }>(String, 'The same.', {
      from: ({ parentId }) => parentId.toUpperCase(),
    }),
  }) {}
  expect(viewOf(Answer)({ name: 'a', parentId: 'b' })).toEqual({ name: 'a', parent_id: 'B' });
});

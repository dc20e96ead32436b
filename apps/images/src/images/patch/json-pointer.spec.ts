import { describe, expect, it } from '@jest/globals';
import { namesOf } from './patch-request.js';

describe('namesOf', () => {
  it.each([
    ['/name', ['name']],
    ['/locations/0', ['locations', '0']],
    ['/a~1b', ['a/b']],
    ['/a~0b', ['a~b']],
    ['/a~01b', ['a~1b']],
    ['/ padded ', ['padded']],
    ['/with space', ['with space']],
  ])('reads %j as %j', (pointer, names) => {
    expect(namesOf(pointer)).toEqual(names);
  });

  it.each(['', 'name', '/', '//', '//name', '/name/', '/a//b', '/ ', '/a/ /b', '/a~', '/a~2b'])(
    'refuses %j',
    (pointer) => {
      expect(() => namesOf(pointer)).toThrow(/^Invalid input: a path must .*, not ".*"\.$/);
    },
  );

  it.each([undefined, null, 7, ['/name'], { path: '/name' }])('refuses %j', (one) => {
    expect(() => namesOf(one)).toThrow('Invalid input: a path must be a string that begins with /');
  });

  it('shortens a long pointer in its message', () => {
    expect(() => namesOf('x'.repeat(100_000))).toThrow(/^.{1,300}$/);
  });
});

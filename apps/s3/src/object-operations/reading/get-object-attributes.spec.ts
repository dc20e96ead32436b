import { describe, expect, it } from '@jest/globals';
import { attributesOf, partPageOf } from './get-object.operations.js';

const HEADER = 'x-amz-object-attributes';
const INVALID = expect.objectContaining({ code: 'InvalidArgument' });

describe('attributes', () => {
  it.each(['ETag,ObjectSize', 'ETag, ObjectSize', ['ETag', 'ObjectSize']])(
    'may be named as %j',
    (value) => {
      expect([...attributesOf({ [HEADER]: value })]).toEqual(['ETag', 'ObjectSize']);
    },
  );

  it.each([undefined, '', 'Etag', 'ETag,Colour'])('cannot be %j', (value) => {
    expect(() => attributesOf(value === undefined ? {} : { [HEADER]: value })).toThrow(INVALID);
  });
});

describe('a page of parts', () => {
  it('has at most 1,000 parts', () => {
    expect(partPageOf({})).toEqual({ after: 0, limit: 1000 });
    const headers = { 'x-amz-part-number-marker': '7', 'x-amz-max-parts': '2000' };
    expect(partPageOf(headers)).toEqual({ after: 7, limit: 1000 });
  });

  it('cannot have a negative size', () => {
    expect(() => partPageOf({ 'x-amz-max-parts': '-1' })).toThrow(INVALID);
  });
});

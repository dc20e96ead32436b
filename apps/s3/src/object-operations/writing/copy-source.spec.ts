import { describe, expect, it } from '@jest/globals';
import { copySourceOf } from './copy-source.js';

const VERSION = 'abcdefghijklmnopqrstuvwxyz012345';

describe('the source of a copy', () => {
  it.each([
    ['b/k', 'b', 'k', undefined],
    ['/b/k', 'b', 'k', undefined],
    ['b/a/b//c', 'b', 'a/b//c', undefined],
    ['b//k', 'b', '/k', undefined],
    ['b%2Fa%20b', 'b', 'a b', undefined],
    ['b/a+b', 'b', 'a+b', undefined],
    [`b/k?versionId=${VERSION}`, 'b', 'k', VERSION],
    ['b/k?versionId=null', 'b', 'k', 'null'],
    ['b/%3FversionId%3Dnull', 'b', '?versionId=null', undefined],
    ['b/a?b', 'b', 'a?b', undefined],
  ])('%s names its bucket, key and version', (header, name, key, versionId) => {
    const bucket = { name, projectId: undefined };
    expect(copySourceOf(header)).toEqual({ bucket, key, versionId });
  });

  it('may name the project of its bucket', () => {
    expect(copySourceOf('p:b/k').bucket).toEqual({ name: 'b', projectId: 'p' });
  });

  it.each([
    ['', 'InvalidArgument'],
    ['b', 'InvalidArgument'],
    ['b/', 'InvalidArgument'],
    ['/k', 'InvalidArgument'],
    ['//k', 'InvalidArgument'],
    ['b/k?versionId=', 'InvalidArgument'],
    ['b/k?versionId=1', 'InvalidArgument'],
    ['b/%zz', 'InvalidURI'],
    [`b/${'k'.repeat(1025)}`, 'KeyTooLongError'],
  ])('%s is refused', (header, code) => {
    expect(() => copySourceOf(header)).toThrow(expect.objectContaining({ code }));
  });
});

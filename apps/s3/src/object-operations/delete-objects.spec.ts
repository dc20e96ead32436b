import { describe, expect, it } from '@jest/globals';
import { readXml, writeXml, type XmlTree } from '../http/xml.js';
import { deleteRequestOf } from './delete-objects.operations.js';

function read(tree: XmlTree): unknown {
  return deleteRequestOf(readXml(writeXml('Delete', tree), 'Delete'));
}

describe('a bulk deletion', () => {
  it('lists keys, versions and conditions', () => {
    const given = {
      Key: ' a ',
      VersionId: 'null',
      ETag: '"e"',
      Size: 3,
      LastModifiedTime: 'Thu, 01 Jan 1970 00:00:07 GMT',
    };
    expect(read({ Object: [given, { Key: 'b' }] })).toEqual({
      isQuiet: false,
      keys: [
        {
          key: ' a ',
          versionId: 'null',
          conditions: { ifMatch: '"e"', ifMatchSize: 3, ifMatchLastModifiedTime: 7 },
        },
        { key: 'b', versionId: undefined, conditions: {} },
      ],
    });
  });

  it('may be quiet', () => {
    expect(read({ Quiet: true, Object: [{ Key: 'a' }] })).toMatchObject({ isQuiet: true });
  });

  it.each([
    ['nothing', {}],
    ['an empty key', { Object: [{ Key: '' }] }],
    ['no key', { Object: [{ VersionId: 'null' }] }],
    ['1,001 keys', { Object: Array.from({ length: 1001 }, () => ({ Key: 'a' })) }],
  ] as [string, XmlTree][])('of %s is malformed', (_, tree) => {
    expect(() => read(tree)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  });
});

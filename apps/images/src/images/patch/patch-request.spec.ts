import { describe, expect, it } from '@jest/globals';
import {
  ForbiddenError,
  InvalidInputError,
  type DomainError,
} from '@cumulet/common/errors/domain-error';
import {
  ReadOnlyAttributeError,
  ReservedAttributeError,
  TooManyTagsError,
} from '../image.errors.js';
import { changesOf } from './patch-request.js';

const OLDER = 'application/openstack-images-v2.0-json-patch';
const NEWER = 'application/openstack-images-v2.1-json-patch';

function thrownBy(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('nothing was thrown');
}

describe('changesOf', () => {
  it('reads the newer form', () => {
    const body = [
      { op: 'replace', path: '/name', value: 'x' },
      { op: 'add', path: '/os~1distro', value: 'debian' },
      { op: 'remove', path: '/flavour' },
    ];
    expect(changesOf(NEWER, body)).toEqual([
      { operation: 'replace', name: 'name', value: 'x', addsOnlyNew: false },
      { operation: 'add', name: 'os/distro', value: 'debian', addsOnlyNew: false },
      { operation: 'remove', name: 'flavour', addsOnlyNew: false },
    ]);
  });

  it('reads the older form', () => {
    const body = [{ replace: '/name', value: 'x' }, { add: '/a', value: 'b' }, { remove: '/c' }];
    expect(changesOf(OLDER, body)).toEqual([
      { operation: 'replace', name: 'name', value: 'x', addsOnlyNew: true },
      { operation: 'add', name: 'a', value: 'b', addsOnlyNew: true },
      { operation: 'remove', name: 'c', addsOnlyNew: true },
    ]);
  });

  it('reads an empty list', () => {
    expect(changesOf(NEWER, [])).toEqual([]);
  });

  it.each(['', 'application/json', 'application/json-patch+json', 'constructor'])(
    'refuses the media type %j, naming those accepted',
    (type) => {
      const error = thrownBy(() => changesOf(type, []));
      expect(error).toMatchObject({ kind: 'unsupported-media-type' });
      expect(error.message).toContain(OLDER);
      expect(error.message).toContain(NEWER);
    },
  );

  it.each([
    ['no list', NEWER, {}, 'the body must be a list'],
    ['no body', NEWER, undefined, 'the body must be a list'],
    ['a list of texts', NEWER, ['add'], 'each change must be an object'],
    ['a list of lists', NEWER, [[]], 'each change must be an object'],
    ['no op', NEWER, [{ path: '/a', value: 'b' }], 'op must be one of add, replace, remove'],
    ['an op that is none', NEWER, [{ op: 'move', path: '/a' }], 'op must be one of add'],
    ['no path', NEWER, [{ op: 'remove' }], 'a path must be a string'],
    ['no value', NEWER, [{ op: 'add', path: '/a' }], 'a change with add must have a value'],
    ['a path into a list', NEWER, [{ op: 'add', path: '/tags/-', value: 'x' }], 'no part of it'],
    ['a path into a text', NEWER, [{ op: 'remove', path: '/name/x' }], 'no part of it'],
    ['the newer form as the older', OLDER, [{ op: 'remove', path: '/a' }], 'exactly one of add'],
    ['two operations at once', OLDER, [{ add: '/a', remove: '/b' }], 'exactly one of add'],
    ['a wrong value', NEWER, [{ op: 'replace', path: '/min_ram', value: '1' }], 'min_ram must be'],
    ['a property of no text', NEWER, [{ op: 'add', path: '/a', value: 1 }], 'a must be a string'],
    ['a property that is null', NEWER, [{ op: 'add', path: '/a', value: null }], 'a must be'],
    ['no visibility', NEWER, [{ op: 'replace', path: '/visibility', value: 'x' }], 'visibility'],
  ])('refuses %s', (_what, type, body, message) => {
    const error = thrownBy(() => changesOf(type, body));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain(message);
  });

  it.each(['id', 'status', 'size', 'checksum', 'created_at', 'self', 'direct_url', 'stores'])(
    'refuses to change the read-only %s, whatever the operation',
    (name) => {
      for (const op of ['add', 'replace', 'remove']) {
        const error = thrownBy(() => changesOf(NEWER, [{ op, path: `/${name}`, value: 'x' }]));
        expect(error).toBeInstanceOf(ReadOnlyAttributeError);
      }
    },
  );

  it.each(['location', 'deleted', 'deleted_at', 'os_glance_import_task'])(
    'refuses the reserved %s',
    (name) => {
      const work = (): unknown => changesOf(NEWER, [{ op: 'add', path: `/${name}`, value: 'x' }]);
      expect(thrownBy(work)).toBeInstanceOf(ReservedAttributeError);
    },
  );

  it.each([
    { op: 'replace', path: '/locations', value: [] },
    { op: 'add', path: '/locations/-', value: { url: 'file:///etc/passwd', metadata: {} } },
    { op: 'remove', path: '/locations/0' },
  ])('refuses locations by name: %j', (change) => {
    const error = thrownBy(() => changesOf(NEWER, [change]));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error.message).toContain("'locations' cannot be changed");
  });

  it('counts duplicate tags once, and limits their number', () => {
    const tags = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);
    const change = (value: unknown): unknown[] => [{ op: 'replace', path: '/tags', value }];
    expect(changesOf(NEWER, change([...tags(128), 't0']))).toHaveLength(1);
    expect(thrownBy(() => changesOf(NEWER, change(tags(129))))).toBeInstanceOf(TooManyTagsError);
  });
});

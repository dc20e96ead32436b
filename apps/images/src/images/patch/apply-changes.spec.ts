import { describe, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { newImageOf } from '../image.dto.js';
import { Image } from '../image.entity.js';
import { applyChanges } from './apply-changes.js';
import { changesOf } from './patch-request.js';

const member = { isAdmin: false };
const admin = { isAdmin: true };

function anImage(fields: object = {}, row: Partial<Image> = {}): Image {
  const owner = asId<ProjectId>('project');
  return Object.assign(new Image(), { state: 'queued', ...newImageOf(fields), owner }, row);
}

function patched(
  image: Image,
  changes: readonly object[],
  caller = member,
  type = 'application/openstack-images-v2.1-json-patch',
): Image {
  return Object.assign(new Image(), image, applyChanges(caller, image, changesOf(type, changes)));
}

function patchedAsBefore(image: Image, changes: readonly object[]): Image {
  return patched(image, changes, member, 'application/openstack-images-v2.0-json-patch');
}

describe('applyChanges', () => {
  it('replaces attributes, also by add', () => {
    const image = patched(anImage(), [
      { op: 'replace', path: '/name', value: 'new' },
      { op: 'add', path: '/min_ram', value: 5 },
      { op: 'replace', path: '/min_disk', value: 6 },
      { op: 'replace', path: '/protected', value: true },
      { op: 'replace', path: '/os_hidden', value: true },
      { op: 'replace', path: '/visibility', value: 'community' },
      { op: 'replace', path: '/disk_format', value: 'qcow2' },
      { op: 'replace', path: '/container_format', value: 'bare' },
      { op: 'add', path: '/tags', value: ['a', 'b', 'a'] },
    ]);
    expect(image).toMatchObject({
      name: 'new',
      minRam: 5,
      minDisk: 6,
      protected: true,
      hidden: true,
      visibility: 'community',
      diskFormat: 'qcow2',
      containerFormat: 'bare',
      tags: ['a', 'b'],
    });
  });

  it('does not modify its input', () => {
    const image = anImage({ name: 'old', flavour: 'x' });
    patched(image, [
      { op: 'replace', path: '/name', value: 'new' },
      { op: 'remove', path: '/flavour' },
    ]);
    expect(image).toMatchObject({ name: 'old', properties: { flavour: 'x' } });
  });

  it('adds, replaces and removes properties in order', () => {
    const { properties } = patched(anImage({ kept: 'k', gone: 'g' }), [
      { op: 'add', path: '/new', value: 'n' },
      { op: 'replace', path: '/new', value: 'newer' },
      { op: 'add', path: '/kept', value: 'K' },
      { op: 'remove', path: '/gone' },
    ]);
    expect(properties).toEqual({ kept: 'K', new: 'newer' });
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('accepts %s as a name', (name) => {
    const { properties } = patched(anImage(), [{ op: 'add', path: `/${name}`, value: 'x' }]);
    expect(Object.entries(properties)).toEqual([[name, 'x']]);
    const missing = (): Image => patched(anImage(), [{ op: 'remove', path: `/${name}` }]);
    expect(missing).toThrow('does not exist.');
  });

  it('treats a null kernel_id as removal', () => {
    const kernel_id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
    const image = patched(anImage({ kernel_id }), [
      { op: 'replace', path: '/kernel_id', value: null },
    ]);
    expect(image.properties).toEqual({});
  });

  it.each(['replace', 'remove'])('refuses to %s a missing property', (op) => {
    const change = { op, path: '/nothing', value: 'x' };
    expect(() => patched(anImage(), [change])).toThrow('does not exist.');
  });

  it('refuses to remove a property twice', () => {
    const change = { op: 'remove', path: '/flavour' };
    const image = anImage({ flavour: 'x' });
    expect(() => patched(image, [change, change])).toThrow('does not exist.');
  });

  it.each(['name', 'tags', 'visibility', 'owner', 'min_ram'])('refuses to remove %s', (name) => {
    const change = { op: 'remove', path: `/${name}` };
    expect(() => patched(anImage(), [change])).toThrow('cannot be removed.');
  });

  it('adds only new properties in the older form', () => {
    const image = anImage({ flavour: 'x' });
    const add = (path: string, value: unknown) => () =>
      patchedAsBefore(image, [{ add: path, value }]);
    expect(add('/flavour', 'y')).toThrow('exists already.');
    expect(add('/name', 'y')).toThrow('exists already.');
    expect(add('/other', 'y')().properties).toEqual({ flavour: 'x', other: 'y' });
  });

  it('lets only admins make an image public', () => {
    const change = { op: 'replace', path: '/visibility', value: 'public' };
    expect(() => patched(anImage(), [change])).toThrow('Making an image public');
    expect(patched(anImage(), [change], admin).visibility).toBe('public');
  });

  it('lets only admins give an image away, and only to a project', () => {
    const change = { op: 'replace', path: '/owner', value: 'other' };
    expect(() => patched(anImage(), [change])).toThrow('Giving an image to another project');
    expect(() => patched(anImage(), [{ ...change, op: 'add' }])).toThrow(
      'Giving an image to another project',
    );
    expect(patched(anImage(), [change], admin).owner).toBe('other');
    const nobody = (): Image => patched(anImage(), [{ ...change, value: null }], admin);
    expect(nobody).toThrow('owner must be a project');
  });

  it.each(['saving', 'staged', 'importing', 'active', 'deactivated', 'killed'] as const)(
    'keeps the formats of an image that is %s',
    (state) => {
      for (const name of ['disk_format', 'container_format']) {
        const value = name === 'disk_format' ? 'raw' : 'bare';
        const change = { op: 'replace', path: `/${name}`, value };
        expect(() => patched(anImage({}, { state }), [change])).toThrow(
          'only be replaced while the image is queued',
        );
      }
    },
  );

  it('counts properties at the end, and always allows fewer', () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `p${at}`);
    const add = (name: string): object => ({ op: 'add', path: `/${name}`, value: 'x' });
    expect(() => patched(anImage(), names(129).map(add))).toThrow(
      'may have 128 custom properties; this one has 129',
    );
    const swapped = patched(anImage(), [...names(129).map(add), { op: 'remove', path: '/p0' }]);
    expect(Object.keys(swapped.properties)).toHaveLength(128);
    const properties = Object.fromEntries(names(130).map((name) => [name, 'x']));
    const fewer = patched(anImage({}, { properties }), [{ op: 'remove', path: '/p0' }]);
    expect(Object.keys(fewer.properties)).toHaveLength(129);
  });

  it('measures properties at the end, and always allows less', () => {
    const half = 'x'.repeat(32_767);
    const set = (name: string, value: string): object => ({ op: 'add', path: `/${name}`, value });
    const full = patched(anImage(), [set('a', half), set('b', half)]);
    expect(() => patched(full, [set('c', '')])).toThrow('may have 65536 bytes together');
    expect(() => patched(full, [set('a', `${half}x`)])).toThrow('may have 65536 bytes together');
    const swapped = patched(full, [set('c', half), { op: 'remove', path: '/a' }]);
    expect(Object.keys(swapped.properties)).toEqual(['b', 'c']);
    const properties = { a: half, b: half, c: half };
    const less = patched(anImage({}, { properties }), [set('a', half.slice(1))]);
    expect(less.properties['a']).toBe(half.slice(1));
  });
});

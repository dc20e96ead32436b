import { describe, expect, it } from '@jest/globals';
import { craftQcow2 } from './contract/crafted-qcow2.fixture.js';
import { tinyGuest } from './contract/tiny-guest.fixture.js';
import {
  hasBootSignature,
  imageKind,
  qcow2BackingFile,
  qcow2VirtualSize,
  refuseUnsafeImage,
} from './image-header.js';

const DIRTY = 1n;
const COMPRESSION = 8n;
const UNKNOWN = 1n << 40n;

function refuse(kind: 'raw' | 'qcow2' | 'kernel' | 'ramdisk', head: Buffer): () => void {
  return () => refuseUnsafeImage('an-image', kind, head);
}

describe('refuseUnsafeImage', () => {
  it('accepts a raw disk', () => {
    expect(refuse('raw', tinyGuest({ text: '' }))).not.toThrow();
  });

  it('accepts self-contained qcow2 images', () => {
    expect(refuse('qcow2', craftQcow2())).not.toThrow();
    expect(refuse('qcow2', craftQcow2({ version: 2 }))).not.toThrow();
    expect(
      refuse('qcow2', craftQcow2({ incompatibleFeatures: DIRTY | COMPRESSION })),
    ).not.toThrow();
  });

  it('reads no feature bits in version 2, which has none', () => {
    const crafted = craftQcow2({ version: 2, incompatibleFeatures: UNKNOWN });
    expect(refuse('qcow2', crafted)).not.toThrow();
  });

  it('refuses unknown features', () => {
    expect(refuse('qcow2', craftQcow2({ incompatibleFeatures: UNKNOWN }))).toThrow(/unknown here/);
  });

  it('refuses unknown versions', () => {
    expect(refuse('qcow2', craftQcow2({ version: 4 }))).toThrow(/damaged/);
  });

  it.each([
    ['vmdk', Buffer.from('KDMV')],
    ['vhdx', Buffer.from('vhdxfile')],
    ['luks', Buffer.from('LUKS\xba\xbe', 'latin1')],
    ['vdi', Buffer.concat([Buffer.alloc(64), Buffer.from([0x7f, 0x10, 0xda, 0xbe])])],
  ])('names the format of a %s that claims to be raw', (name, head) => {
    expect(refuse('raw', head)).toThrow(`its data is ${name}`);
  });

  it('accepts kernels in both of their forms', () => {
    const bzImage = tinyGuest({ text: '' });
    bzImage.write('HdrS', 0x202);
    expect(refuse('kernel', bzImage)).not.toThrow();
    expect(refuse('kernel', Buffer.from('\x7fELF', 'latin1'))).not.toThrow();
    expect(refuse('kernel', tinyGuest({ text: '' }))).toThrow(/no x86 kernel/);
  });

  it('accepts any ramdisk that is not empty', () => {
    expect(refuse('ramdisk', Buffer.from([0x1f, 0x8b]))).not.toThrow();
    expect(refuse('ramdisk', Buffer.alloc(0))).toThrow(/is empty/);
  });
});

describe('imageKind', () => {
  it('knows the disk formats of the images service that guests boot from', () => {
    const formats = ['raw', 'ami', 'qcow2', 'aki', 'ari'];
    const kinds = formats.map((format) => imageKind('an-image', format));
    expect(kinds).toEqual(['raw', 'raw', 'qcow2', 'kernel', 'ramdisk']);
  });

  it('names the format that it refuses', () => {
    expect(() => imageKind('an-image', 'iso')).toThrow(/disk format iso/);
  });
});

describe('qcow2 headers', () => {
  it('have the size of the disk and the file below', () => {
    const head = craftQcow2({ virtualSizeBytes: 5n * 1024n ** 3n, backingFile: '../base' });
    expect(qcow2VirtualSize(head)).toBe(5 * 1024 ** 3);
    expect(qcow2BackingFile(head)).toBe('../base');
    expect(qcow2BackingFile(craftQcow2())).toBeUndefined();
  });
});

describe('hasBootSignature', () => {
  it('requires the signature at the end of a whole sector', () => {
    const sector = tinyGuest({ text: '' });
    expect(hasBootSignature(sector)).toBe(true);
    expect(hasBootSignature(sector.subarray(0, 511))).toBe(false);
    expect(hasBootSignature(Buffer.alloc(512))).toBe(false);
  });
});

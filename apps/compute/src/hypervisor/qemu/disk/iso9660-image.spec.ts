import { describe, expect, it } from '@jest/globals';
import { configDriveImage } from './config-drive.js';
import { iso9660Image } from './iso9660-image.js';

const SECTOR = 2048;
const TIME = new Date('2026-03-04T05:06:07.080Z');
const PRIMARY_DESCRIPTOR = 16;
const JOLIET_DESCRIPTOR = 17;

type Decode = (name: Buffer) => string;
const ascii: Decode = (name) => name.toString('latin1');
const ucs2: Decode = (name) => Buffer.from(name).swap16().toString('utf16le');

/** Reads an image back as a mounted one shows it: path → content. */
function readBack(image: Buffer, descriptor: number, decode: Decode): Map<string, string> {
  const files = new Map<string, string>();
  const walk = (sector: number, size: number, path: string): void => {
    const end = sector * SECTOR + size;
    for (let at = sector * SECTOR, index = 0; at < end; index += 1) {
      const length = image.readUInt8(at);
      if (length === 0) {
        at = (Math.floor(at / SECTOR) + 1) * SECTOR;
        continue;
      }
      expect((at % SECTOR) + length).toBeLessThanOrEqual(SECTOR);
      const [childSector, childSize] = [image.readUInt32LE(at + 2), image.readUInt32LE(at + 10)];
      expect(image.readUInt32BE(at + 6)).toBe(childSector);
      // The first two entries are the directory itself and its parent.
      if (index >= 2) {
        const name = decode(image.subarray(at + 33, at + 33 + image.readUInt8(at + 32)));
        const isDirectory = (image.readUInt8(at + 25) & 2) !== 0;
        const start = childSector * SECTOR;
        if (isDirectory) walk(childSector, childSize, `${path}${name}/`);
        else files.set(path + name, image.toString('utf8', start, start + childSize));
      }
      at += length;
    }
  };
  const root = descriptor * SECTOR + 156;
  walk(image.readUInt32LE(root + 2), image.readUInt32LE(root + 10), '');
  return files;
}

describe('iso9660Image', () => {
  it('holds the files under both of their names', () => {
    const image = iso9660Image('label', new Map([['a/b/some_file.json', Buffer.from('{}')]]), TIME);
    expect([...readBack(image, PRIMARY_DESCRIPTOR, ascii)]).toEqual([
      ['A/B/SOME_FILE.JSON;1', '{}'],
    ]);
    expect([...readBack(image, JOLIET_DESCRIPTOR, ucs2)]).toEqual([['a/b/some_file.json', '{}']]);
  });

  it('holds directories of more than one sector, and files of none and of many', () => {
    const files = new Map<string, Buffer>();
    for (let index = 0; index < 100; index += 1) {
      files.set(`many/file_number_${index}`, Buffer.alloc(index * 100, 'x'));
    }
    const found = readBack(iso9660Image('label', files, TIME), JOLIET_DESCRIPTOR, ucs2);
    expect(found.size).toBe(100);
    expect(found.get('many/file_number_0')).toBe('');
    expect(found.get('many/file_number_99')).toBe('x'.repeat(9900));
  });

  it('is large enough for programs that read 68 KiB to detect it', () => {
    const image = iso9660Image('label', new Map(), TIME);
    expect(image.length).toBeGreaterThan(68 * 1024);
    expect(image.readUInt32LE(PRIMARY_DESCRIPTOR * SECTOR + 80) * SECTOR).toBe(image.length);
  });

  it('gives the same bytes for the same files', () => {
    const [first, second] = [1, 2].map(() =>
      iso9660Image('l', new Map([['f', Buffer.of(1)]]), TIME),
    );
    expect(second?.equals(first ?? Buffer.of())).toBe(true);
  });
});

describe('configDriveImage', () => {
  it('has the label and the files that cloud-init looks for', () => {
    const image = configDriveImage(
      {
        metaData: { uuid: 'u', meta: { key: 'värde' } },
        userData: Buffer.from('#!/bin/sh\n').toString('base64'),
        networkData: { links: [] },
      },
      TIME,
    );
    const label = PRIMARY_DESCRIPTOR * SECTOR + 40;
    expect(image.toString('latin1', label, label + 32).trim()).toBe('config-2');
    expect([...readBack(image, JOLIET_DESCRIPTOR, ucs2)]).toEqual([
      ['openstack/latest/meta_data.json', '{"uuid":"u","meta":{"key":"värde"}}'],
      ['openstack/latest/network_data.json', '{"links":[]}'],
      ['openstack/latest/user_data', '#!/bin/sh\n'],
    ]);
  });

  it('has injected files under numbers, and says where each belongs', () => {
    const files = [
      { path: '/etc/motd', contents: Buffer.from('Hello.\n').toString('base64') },
      { path: '/empty', contents: '' },
    ];
    const image = configDriveImage({ metaData: { uuid: 'u' }, files }, TIME);
    expect([...readBack(image, JOLIET_DESCRIPTOR, ucs2)].sort()).toEqual([
      ['openstack/content/0000', 'Hello.\n'],
      ['openstack/content/0001', ''],
      [
        'openstack/latest/meta_data.json',
        JSON.stringify({
          uuid: 'u',
          files: [
            { path: '/etc/motd', content_path: '/content/0000' },
            { path: '/empty', content_path: '/content/0001' },
          ],
        }),
      ],
    ]);
  });

  it('has no file for absent content', () => {
    const image = configDriveImage({ metaData: {} }, TIME);
    expect([...readBack(image, JOLIET_DESCRIPTOR, ucs2).keys()]).toEqual([
      'openstack/latest/meta_data.json',
    ]);
  });
});

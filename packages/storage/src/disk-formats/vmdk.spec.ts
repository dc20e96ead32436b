import { describe, expect, it } from '@jest/globals';
import {
  craftStreamedVmdk,
  craftVmdk,
  vmdkDescriptor,
  type CraftedVmdk,
} from '@cumulet/testing/disk-images/crafted-images';
import { wholeImage } from './image-bytes.js';
import { inspectImage } from './inspect-image.js';

function faultsOf(image: Buffer | string): readonly string[] {
  return inspectImage(wholeImage(Buffer.from(image))).faults;
}

describe('vmdk', () => {
  const crafted = (parts: CraftedVmdk): readonly string[] => faultsOf(craftVmdk(parts));

  it.each([
    'twoGbMaxExtentSparse',
    'monolithicFlat',
    'vmfs',
    'vmfsSparse',
    'fullDevice',
    'partitionedDevice',
    'custom',
  ])('refuses the createType %s', (createType) => {
    expect(crafted({ createType })).toEqual([
      `is a vmdk of createType ${createType.toLowerCase()}; ` +
        'only monolithicSparse and streamOptimized are complete in themselves',
    ]);
  });

  it.each([
    'RW 2048 FLAT "/etc/passwd" 0',
    'RW 2048 SPARSE "/var/lib/other.vmdk"',
    'RW 2048 SPARSE "../other.vmdk"',
    'RW 2048 SPARSE "C:\\disks\\other.vmdk"',
    'RW 2048 VMFSRDM "disk-rdm.vmdk"',
    'RW 2048 VMFSRAW "/dev/sda"',
    'RW 2048 FLAT "/dev/sda" 0',
    'NOACCESS 2048 SPARSE "disk.vmdk"',
    'RW 2048 ZERO',
    'rw  2048  flat  "disk-flat.vmdk"  0',
  ])('refuses the extent %s', (extent) => {
    expect(crafted({ extents: [extent] })).toEqual([
      `is a vmdk whose descriptor names another file: ${extent.toLowerCase()}`,
    ]);
  });

  it.each([[[]], [['RW 1024 SPARSE "a.vmdk"', 'RW 1024 SPARSE "b.vmdk"']]])(
    'requires exactly one extent: %j',
    (extents) => {
      expect(crafted({ extents })[0]).toMatch(`is a vmdk of ${extents.length} extents`);
    },
  );

  it.each([
    'parentFileNameHint="base.vmdk"',
    '# parentFileNameHint="base.vmdk"',
    'PARENTFILENAMEHINT = "/etc/passwd"',
    'parentCID=12345678',
    'parentCID = 12345678',
  ])('refuses a parent: %s', (line) => {
    expect(crafted({ lines: [line] })[0]).toMatch(/needs its parent/);
  });

  it.each(['changeTrackPath="disk-ctk.vmdk"', 'an unknown line', 'RW2048 SPARSE "x"'])(
    'refuses the line: %s',
    (line) => {
      expect(crafted({ lines: [line] })).toEqual([
        `is a vmdk whose descriptor has a line that cannot be judged: ${line.toLowerCase()}`,
      ]);
    },
  );

  it('accepts the settings of other writers', () => {
    const lines = ['encoding="UTF-8"', 'isNativeSnapshot="no"', 'parentCID = FFFFFFFF', ''];
    expect(crafted({ lines, extents: ['RDONLY 2048 SPARSE "disk one.vmdk"'] })).toEqual([]);
  });

  it('reads lines that end with CRLF', () => {
    const image = craftVmdk();
    image.fill(0, 512);
    image.write(vmdkDescriptor().replaceAll('\n', '\r\n'), 512);
    expect(faultsOf(image)).toEqual([]);
  });

  it('refuses an extent that hides behind half a line end', () => {
    const lines = ['ddb.uuid = "1"\rRW 2048 FLAT "/etc/passwd" 0'];
    expect(crafted({ lines })[0]).toMatch(/names another file: rw 2048 flat/);
  });

  it('refuses a second createType behind a good one', () => {
    expect(crafted({ lines: ['createType="vmfs"'] })[0]).toMatch(/createType vmfs/);
  });

  it('refuses a header that hides where its descriptor is', () => {
    const nowhere = ['is a damaged vmdk file: it has no descriptor where one belongs'];
    expect(crafted({ descriptorSector: 0n })).toEqual(nowhere);
    expect(crafted({ descriptorSector: 2n })).toEqual(nowhere);
    expect(faultsOf(craftVmdk().fill(0, 512))).toEqual(nowhere);
    expect(faultsOf(craftVmdk().fill(' ', 512))).toEqual(nowhere);
  });

  it('refuses headers that make some readers follow the descriptor', () => {
    expect(crafted({ sectors: 0n })).toEqual(['is a damaged vmdk file: its disk has no sectors']);
    expect(crafted({ version: 9 })[0]).toMatch(/its version is 9/);
  });

  it.each<[string, (footer: Buffer) => unknown]>([
    ['another descriptor', (footer) => footer.writeBigUInt64LE(2n, 28)],
    ['another size', (footer) => footer.writeBigUInt64LE(9n, 12)],
    ['another magic', (footer) => footer.write('COWD')],
    ['yet another footer', (footer) => footer.writeBigUInt64LE(2n ** 64n - 1n, 56)],
  ])('refuses a footer that names %s', (_what, change) => {
    expect(faultsOf(craftStreamedVmdk((footer) => void change(footer)))).toEqual([
      'is a damaged vmdk file: its footer does not match its header',
    ]);
  });

  it('refuses one whose footer is missing', () => {
    expect(faultsOf(craftStreamedVmdk().subarray(0, -512))[0]).toMatch(/its footer/);
  });

  it('refuses a descriptor without its disk, whatever comments it begins with', () => {
    const fault = /is the descriptor of a vmdk, whose data is in other files/;
    expect(faultsOf(vmdkDescriptor())[0]).toMatch(fault);
    expect(faultsOf('# anything\n\n  \nversion=1\nRW 1 FLAT "/etc/passwd" 0')[0]).toMatch(fault);
  });

  it('refuses an extent without its descriptor', () => {
    expect(faultsOf('COWD')[0]).toMatch(/is an extent of a vmdk/);
  });

  it('shows no more of a descriptor than fits a message', () => {
    const [fault = ''] = crafted({ lines: [`\x1b${'x'.repeat(10_000)}`] });
    expect(fault.length).toBeLessThan(200);
    expect(fault).not.toContain('\x1b');
  });
});

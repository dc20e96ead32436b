/** The first bytes of images of every format, as an attacker would write them by hand. */

export interface CraftedVmdk {
  readonly createType?: string;
  readonly extents?: readonly string[];
  /** Lines that come before the extents. */
  readonly lines?: readonly string[];
  readonly sectors?: bigint;
  readonly descriptorSector?: bigint;
  readonly version?: number;
}

export function vmdkDescriptor(crafted: CraftedVmdk = {}): string {
  return [
    '# Disk DescriptorFile',
    'version=1',
    'CID=fffffffe',
    'parentCID=ffffffff',
    `createType="${crafted.createType ?? 'monolithicSparse'}"`,
    ...(crafted.lines ?? []),
    '',
    '# Extent description',
    ...(crafted.extents ?? ['RW 2048 SPARSE "disk.vmdk"']),
    '',
    '# The Disk Data Base',
    'ddb.adapterType = "ide"',
    '',
  ].join('\n');
}

export function craftVmdk(crafted: CraftedVmdk = {}): Buffer {
  const image = Buffer.alloc(64 * 1024);
  image.write('KDMV');
  image.writeUInt32LE(crafted.version ?? 1, 4);
  image.writeBigUInt64LE(crafted.sectors ?? 2048n, 12);
  image.writeBigUInt64LE(crafted.descriptorSector ?? 1n, 28);
  image.writeBigUInt64LE(20n, 36);
  image.write(vmdkDescriptor(crafted), 512);
  return image;
}

/** As a streaming writer makes it: the header says that the one at the end counts. */
export function craftStreamedVmdk(footer: (header: Buffer) => void = () => undefined): Buffer {
  const image = craftVmdk({ createType: 'streamOptimized', version: 3 });
  image.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 56);
  const [marker, header, end] = [Buffer.alloc(512), Buffer.alloc(512), Buffer.alloc(512)];
  marker.writeBigUInt64LE(1n);
  marker.writeUInt32LE(3, 12);
  image.copy(header, 0, 0, 512);
  header.writeBigUInt64LE(40n, 56);
  footer(header);
  return Buffer.concat([image, marker, header, end]);
}

export function craftQcow2(
  fields: { readonly features?: bigint; readonly version?: number } = {},
): Buffer {
  const image = Buffer.alloc(64 * 1024);
  image.write('QFI\xfb', 'latin1');
  image.writeUInt32BE(fields.version ?? 3, 4);
  image.writeUInt32BE(16, 20);
  image.writeBigUInt64BE(1024n ** 2n, 24);
  image.writeBigUInt64BE(fields.features ?? 0n, 72);
  image.writeUInt32BE(104, 100);
  return image;
}

/** @param type 2 for a fixed disk, 3 for a dynamic one, 4 for a differencing one */
export function vhdFooter(type: number, virtualSize = 1024n ** 2n): Buffer {
  const footer = Buffer.alloc(512);
  footer.write('conectix');
  footer.writeBigUInt64BE(virtualSize, 40);
  footer.writeBigUInt64BE(virtualSize, 48);
  footer.writeUInt32BE(type, 60);
  return footer;
}

export function craftDynamicVhd(type = 3): Buffer {
  return Buffer.concat([vhdFooter(type), Buffer.alloc(2048), vhdFooter(type)]);
}

export function craftVdi(
  fields: { readonly type?: number; readonly parent?: Buffer } = {},
): Buffer {
  const image = Buffer.alloc(1024);
  image.write('<<< Oracle VM VirtualBox Disk Image >>>\n');
  image.set([0x7f, 0x10, 0xda, 0xbe], 64);
  image.writeUInt32LE(0x00010001, 68);
  image.writeUInt32LE(fields.type ?? 1, 76);
  image.writeBigUInt64LE(1024n ** 2n, 368);
  fields.parent?.copy(image, 440);
  return image;
}

const VHDX_IDS = {
  metadata: '06a27c8b90479a4bb8fe575f050f886e',
  size: '2442a52f1bcd7648b2115dbed83bf4b8',
  parameters: '3767a1ca36fa434db3b633f0aa44e76b',
};

export function craftVhdx(fields: { readonly hasParent?: boolean } = {}): Buffer {
  const metadata = 1024 ** 2;
  const image = Buffer.alloc(metadata + 128 * 1024);
  image.write('vhdxfile');
  const regions = 192 * 1024;
  image.write('regi', regions);
  image.writeUInt32LE(1, regions + 8);
  image.write(VHDX_IDS.metadata, regions + 16, 'hex');
  image.writeBigUInt64LE(BigInt(metadata), regions + 32);
  image.write('metadata', metadata);
  image.writeUInt16LE(2, metadata + 10);
  image.write(VHDX_IDS.parameters, metadata + 32, 'hex');
  image.writeUInt32LE(65_536, metadata + 48);
  image.write(VHDX_IDS.size, metadata + 64, 'hex');
  image.writeUInt32LE(65_544, metadata + 80);
  image.writeUInt32LE(fields.hasParent === true ? 2 : 0, metadata + 65_540);
  image.writeBigUInt64LE(1024n ** 2n, metadata + 65_544);
  return image;
}

export function craftIso(fields: { readonly partitions?: boolean } = {}): Buffer {
  const image = Buffer.alloc(64 * 1024);
  image.write('\x01CD001\x01', 32_768, 'latin1');
  image.writeUInt32LE(20, 32_768 + 80);
  image.writeUInt16LE(2048, 32_768 + 128);
  if (fields.partitions === true) craftPartition().copy(image);
  return image;
}

/** A first sector with one partition. */
export function craftPartition(): Buffer {
  const sector = Buffer.alloc(512);
  sector.set([0x80, 0, 1, 0, 0x83], 446);
  sector.writeUInt32LE(2048, 446 + 12);
  sector.set([0x55, 0xaa], 510);
  return sector;
}

export function craftLuks(version = 1): Buffer {
  const image = Buffer.alloc(4096);
  image.set([0x4c, 0x55, 0x4b, 0x53, 0xba, 0xbe, 0, version]);
  image.writeUInt32BE(4, 104);
  return image;
}

export function craftParallels(): Buffer {
  const image = Buffer.alloc(1024);
  image.write('WithouFreSpacExt');
  image.writeUInt32LE(2, 16);
  image.writeBigUInt64LE(2048n, 36);
  return image;
}

export function craftQed(): Buffer {
  const image = Buffer.alloc(1024);
  image.write('QED\0');
  image.writeBigUInt64LE(1024n ** 2n, 48);
  return image;
}

export function craftCompressed(): Record<'gzip' | 'xz' | 'zstd' | 'bzip2', Buffer> {
  return {
    gzip: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
    xz: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]),
    zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0, 0, 0]),
    bzip2: Buffer.from('BZh91AY&SY', 'latin1'),
  };
}

/** One image of every format that is recognised. */
export function everyFormat(): Buffer[] {
  return [
    craftQcow2(),
    craftQcow2({ version: 2 }),
    craftQed(),
    craftVmdk(),
    craftStreamedVmdk(),
    Buffer.from(vmdkDescriptor()),
    craftDynamicVhd(),
    Buffer.concat([Buffer.alloc(4096), vhdFooter(2)]),
    craftVhdx(),
    craftVdi(),
    craftIso(),
    craftIso({ partitions: true }),
    craftLuks(),
    craftParallels(),
    ...Object.values(craftCompressed()),
    craftPartition(),
  ];
}

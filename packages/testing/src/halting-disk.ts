const SIZE = 2 ** 20;
const SIGNATURE_AT = 510;

/** @returns a raw disk that a BIOS boots, whose code halts the processor: a guest of it costs none of its time */
export function haltingDisk(): Buffer {
  const disk = Buffer.alloc(SIZE);
  // cli; hlt
  disk.writeUInt16BE(0xfaf4, 0);
  disk.writeUInt16LE(0xaa55, SIGNATURE_AT);
  return disk;
}

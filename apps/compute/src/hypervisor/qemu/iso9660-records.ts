/** The building blocks of an ISO 9660 image (ECMA-119): records, dates, numbers, sectors. Pure. */

export const SECTOR = 2048;

/** A directory's entry for a file or directory ("9.1 Format of a Directory Record"). */
export function record(
  name: Buffer,
  sector: number,
  size: number,
  flags: number,
  time: Date,
): Buffer {
  const bytes = 33 + name.length;
  const out = Buffer.alloc(bytes + (bytes % 2));
  out[0] = out.length;
  writeBoth32(out, 2, sector);
  writeBoth32(out, 10, size);
  out.set(
    [
      time.getUTCFullYear() - 1900,
      time.getUTCMonth() + 1,
      time.getUTCDate(),
      time.getUTCHours(),
      time.getUTCMinutes(),
      time.getUTCSeconds(),
      0,
    ],
    18,
  );
  out[25] = flags;
  writeBoth16(out, 28, 1);
  out[32] = name.length;
  out.set(name, 33);
  return out;
}

/** Concatenates records so that none crosses a sector. */
export function packIntoSectors(records: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let used = 0;
  for (const next of records) {
    const left = SECTOR - (used % SECTOR);
    if (next.length > left) {
      parts.push(Buffer.alloc(left));
      used += left;
    }
    parts.push(next);
    used += next.length;
  }
  return Buffer.concat(parts);
}

/** The 17 bytes of a descriptor's date: digits to the hundredth, then the offset from UTC. */
export function longDate(time: Date | undefined): Buffer {
  const digits = time === undefined ? '' : time.toISOString().replace(/\D/g, '').slice(0, 16);
  return Buffer.from(`${digits.padEnd(16, '0')}\0`, 'latin1');
}

/** A number in ISO 9660's form: little-endian, then big-endian. */
export function writeBoth16(out: Buffer, offset: number, value: number): void {
  out.writeUInt16LE(value, offset);
  out.writeUInt16BE(value, offset + 2);
}

export function writeBoth32(out: Buffer, offset: number, value: number): void {
  out.writeUInt32LE(value, offset);
  out.writeUInt32BE(value, offset + 4);
}

/** How many sectors this many bytes take. */
export function sectors(bytes: number): number {
  return Math.ceil(bytes / SECTOR);
}

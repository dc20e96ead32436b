/**
 * Guests for tests that real machines run within a fraction of a second: a disk with one sector
 * of program, which writes a text to the first serial port and then obeys the power button as any
 * ACPI guest does, and a kernel that only writes. Both are 16-bit x86 code.
 */

/** The smallest disk that a BIOS accepts is a cylinder of 504 KiB. */
const DISK_BYTES = 1024 * 1024;
/** A BIOS loads a disk's first sector here. */
const LOADED_AT = 0x7c00;
const SIGNATURE_AT = 510;

/** mov si, address */
function loadTextAt(address: number): number[] {
  return [0xbe, address & 0xff, address >> 8];
}

/** Writes what ds:si points at to the first serial port, up to a zero byte. */
const WRITE_TEXT = [
  0xac,
  0x84,
  0xc0,
  0x74,
  0x11, // next: lodsb; test al, al; jz done
  0x88,
  0xc3,
  0xba,
  0xfd,
  0x03, // bl = al; dx = line status
  0xec,
  0xa8,
  0x20,
  0x74,
  0xfb, // wait until the port takes a byte
  0x88,
  0xd8,
  0xb2,
  0xf8,
  0xee, // al = bl; dl = data; out
  0xeb,
  0xea, // jmp next
];

export interface TinyGuestOptions {
  /** At most 400 ASCII characters. */
  readonly text: string;
  /** Whether it writes the text repeatedly instead of once, and ignores the power button. */
  readonly repeats?: boolean;
}

/** @returns the raw disk image, 1 MiB */
export function tinyGuest({ text, repeats = false }: TinyGuestOptions): Buffer {
  const start = [
    0xfa,
    0x31,
    0xc0,
    0x8e,
    0xd8,
    0x8e,
    0xd0, // cli; ax, ds, ss = 0
    0xbc,
    0x00,
    0x7c,
    0xfb, // sp = 0x7c00; sti
    0xba,
    0x02,
    0x06,
    0xb8,
    0x00,
    0x01,
    0xef, // PM1 enable (port 0x602) = power button
  ];
  const done = repeats
    ? [0xeb, 0x100 - (WRITE_TEXT.length + 3 + 2)] // jmp back to where the text is loaded
    : [
        0xf4,
        0xba,
        0x00,
        0x06,
        0xed, // idle: hlt until the timer; in ax, PM1 status
        0xf6,
        0xc4,
        0x01,
        0x74,
        0xf6, // test the power button's bit; jz idle
        0xba,
        0x04,
        0x06,
        0xb8,
        0x00,
        0x20,
        0xef, // PM1 control = soft off
        0xeb,
        0xed, // jmp idle
      ];
  const codeBytes = start.length + 3 + WRITE_TEXT.length + done.length;
  const code = Buffer.from([
    ...start,
    ...loadTextAt(LOADED_AT + codeBytes),
    ...WRITE_TEXT,
    ...done,
  ]);

  const message = Buffer.from(`${text}\0`, 'latin1');
  if (code.length + message.length > SIGNATURE_AT) throw new Error('the text is too long');
  const disk = Buffer.alloc(DISK_BYTES);
  code.copy(disk);
  message.copy(disk, code.length);
  disk.writeUInt16LE(0xaa55, SIGNATURE_AT);
  return disk;
}

const SETUP_BYTES = 2 * 512;
const SETUP_CODE_AT = 0x280;

/**
 * A kernel that writes a text to the first serial port and halts, in the form that boot loaders
 * load ("The Linux/x86 Boot Protocol", version 2.02).
 *
 * @param text at most 300 ASCII characters
 * @returns the file, with an empty protected-mode part
 */
export function tinyKernel(text: string): Buffer {
  const kernel = Buffer.alloc(2 * SETUP_BYTES);
  kernel[0x1f1] = 1; // sectors of setup code behind the first
  kernel.writeUInt16LE(0xaa55, SIGNATURE_AT);
  kernel.set([0xeb, SETUP_CODE_AT - 0x202], 0x200); // the entry: jmp over the header
  kernel.write('HdrS', 0x202);
  kernel.writeUInt16LE(0x0202, 0x206);
  kernel[0x211] = 1; // the protected-mode part is loaded high
  const takeSegment = [0x8c, 0xc8, 0x2d, 0x20, 0x00, 0x8e, 0xd8]; // ds = cs - 0x20: the file's start
  const halt = [0xfa, 0xf4]; // cli; hlt
  const codeBytes = takeSegment.length + 3 + WRITE_TEXT.length + halt.length;
  const load = loadTextAt(SETUP_CODE_AT + codeBytes);
  kernel.set([...takeSegment, ...load, ...WRITE_TEXT, ...halt], SETUP_CODE_AT);
  kernel.write(`${text}\0`, SETUP_CODE_AT + codeBytes, 'latin1');
  return kernel;
}

const CD_SECTOR_BYTES = 2048;
const BOOT_RECORD = 17;
const CATALOG = 19;
const PROGRAM = 20;

/**
 * A CD-ROM that a BIOS boots a disk's first sector from ("El Torito Bootable CD-ROM Format
 * Specification", no emulation). It starts as a disk does, too.
 */
export function bootableCd(disk: Buffer): Buffer {
  const cd = Buffer.alloc(disk.length);
  const sector = (at: number): Buffer => cd.subarray(at * CD_SECTOR_BYTES);
  disk.copy(cd, 0, 0, SIGNATURE_AT + 2);
  for (const [at, type] of [
    [BOOT_RECORD - 1, 1],
    [BOOT_RECORD, 0],
    [BOOT_RECORD + 1, 255],
  ] as const) {
    sector(at).writeUInt8(type);
    sector(at).write('CD001\x01', 1, 'latin1');
  }
  sector(BOOT_RECORD).write('EL TORITO SPECIFICATION', 7);
  sector(BOOT_RECORD).writeUInt32LE(CATALOG, 0x47);
  // The words of the first entry add up to 0.
  sector(CATALOG).set([1, 0], 0);
  sector(CATALOG).set([0xaa, 0x55, 0x55, 0xaa], 28);
  // Bootable, no emulation, one sector of 512 bytes.
  sector(CATALOG).set([0x88, 0, 0, 0, 0, 0, 1, 0], 32);
  sector(CATALOG).writeUInt32LE(PROGRAM, 32 + 8);
  disk.copy(sector(PROGRAM), 0, 0, SIGNATURE_AT + 2);
  return cd;
}

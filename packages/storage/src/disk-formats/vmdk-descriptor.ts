/**
 * The text in a VMDK that describes the disk's parts. Public source: VMware, "Virtual Disk Format
 * 1.1", "The Descriptor File".
 *
 * Here an image can name files of the host that reads it. So finding nothing bad is not enough:
 * every line must be known to name no file, except one extent, which is the image itself under its
 * original name.
 */
import { NEEDS_PARENT } from './disk-format.js';

/** The kinds of disk that are one self-contained file. */
const WHOLE = ['monolithicsparse', 'streamoptimized'];
const WHOLE_ONLY = 'only monolithicSparse and streamOptimized are complete in themselves';

const CREATE_TYPE = /createtype[ \t]*=[ \t]*"?([^"\r\n]*)/g;
const PARENT_ID = /^parentcid\s*=(.*)$/;
const NO_PARENT = 'ffffffff';
const SETTING = /^[\w.]+\s*=/;
/** Settings that name files beside the disk. */
const NAMES_FILE = /^(?:changetrackpath|digestfilename)\s*=/;
const EXTENT = /^(?:rw|rdonly|noaccess)\s/;
const OWN_EXTENT = /^(?:rw|rdonly)\s+\d+\s+sparse\s+"([^"\\/]+)"$/;

/**
 * @param text ends where the descriptor does
 * @returns the objections to the disk; see `FormatFacts`
 */
export function descriptorFaults(text: string): string[] {
  // Readers differ in case sensitivity, and some read a setting in a comment.
  const lower = text.toLowerCase();
  const lines = lower.split(/[\r\n]/).map((line) => line.trim());
  const settings = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const extents = settings.filter((line) => EXTENT.test(line));
  return [
    ...typeFaults(lower),
    ...(lower.includes('parentfilenamehint') || settings.some(hasParent) ? [NEEDS_PARENT] : []),
    ...settings.filter((line) => !isHarmless(line)).map(strangeLine),
    ...(extents.length === 1 ? [] : [`is a vmdk of ${extents.length} extents; ${WHOLE_ONLY}`]),
  ].slice(0, MAX_FAULTS);
}

/** Enough to show what is wrong with a descriptor. */
const MAX_FAULTS = 8;

function typeFaults(text: string): string[] {
  const types = Array.from(text.matchAll(CREATE_TYPE), ([, type]) => (type ?? '').trim());
  if (types.length === 0) return [`is a vmdk without a createType; ${WHOLE_ONLY}`];
  return types
    .filter((type) => !WHOLE.includes(type))
    .map((type) => `is a vmdk of createType ${shown(type)}; ${WHOLE_ONLY}`);
}

function hasParent(line: string): boolean {
  const id = PARENT_ID.exec(line)?.[1];
  return id !== undefined && id.trim() !== NO_PARENT;
}

function isHarmless(line: string): boolean {
  if (EXTENT.test(line)) return OWN_EXTENT.test(line);
  return SETTING.test(line) && !NAMES_FILE.test(line);
}

function strangeLine(line: string): string {
  return EXTENT.test(line)
    ? `is a vmdk whose descriptor names another file: ${shown(line)}`
    : `is a vmdk whose descriptor has a line that cannot be judged: ${shown(line)}`;
}

/** Text from an untrusted file, made safe for a message. */
function shown(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '?');
  return printable.length > 80 ? `${printable.slice(0, 80)}…` : printable;
}

/** What makes a disk one of swap space (Linux, `include/linux/swap.h`: union swap_header). Pure. */
const PAGE = 4096;
const VERSION_AT = 1024;
const LAST_PAGE_AT = 1028;
const UUID_AT = 1036;
const SIGNATURE = 'SWAPSPACE2';

/** @returns the first page of the disk */
export function swapHeader(sizeBytes: number, uuid: string): Buffer {
  const page = Buffer.alloc(PAGE);
  page.writeUInt32LE(1, VERSION_AT);
  page.writeUInt32LE(Math.floor(sizeBytes / PAGE) - 1, LAST_PAGE_AT);
  Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(page, UUID_AT);
  page.write(SIGNATURE, PAGE - SIGNATURE.length, 'latin1');
  return page;
}

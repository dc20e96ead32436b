/** Writes tar archives (POSIX ustar), reproducibly. */
const BLOCK = 512;

/** @returns bytes of an archive of `{ path, content, mode }`; a path that ends in `/` is a folder */
export function tar(files) {
  const blocks = files.flatMap(({ path, content = Buffer.alloc(0), mode = 0o644 }) => [
    header(path, content.length, mode),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(path, size, mode) {
  if (Buffer.byteLength(path) > 100) throw new RangeError(`A path is too long: ${path}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value, at, length) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, length - 1);
  block.write(path, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8); // user
  octal(0, 116, 8); // group
  octal(size, 124, 12);
  octal(0, 136, 12); // time
  block.write('        ', 148); // the sum is taken over blanks
  block.write(path.endsWith('/') ? '5' : '0', 156);
  block.write('ustar\x0000', 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

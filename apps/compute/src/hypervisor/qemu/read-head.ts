import { withFile } from '@cumulet/common/files/durable-file';

/** The first `bytes` of a file, or all of it if it has fewer. */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  return withFile(path, 'r', async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  });
}

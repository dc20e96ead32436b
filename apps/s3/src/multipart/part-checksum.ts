/**
 * The checksums of a part: of the algorithm that its upload was begun with, whether or not its sender
 * has computed one. Where it was begun without, the sender's, and beside it what the checksum of the
 * object is made of. Public source: Amazon S3 API reference, UploadPart. Pure.
 */
import type { ChecksumRequest } from '../content/checksums/checksum.js';
import type { ReceiveOptions } from '../content/received.js';
import { S3Error } from '../http/s3-error.js';
import type { Upload } from './upload.entity.js';

/**
 * @param asked of the request that sends the part
 * @throws S3Error InvalidRequest for another algorithm than that of the upload
 */
export function partChecksumsOf(
  { checksumAlgorithm: algorithm }: Upload,
  asked: ChecksumRequest | undefined,
): Pick<ReceiveOptions, 'checksum' | 'withCrc64'> {
  if (algorithm === null) return { checksum: asked, withCrc64: true };
  if (!asked) return { checksum: { algorithm } };
  if (asked.algorithm === algorithm) return { checksum: asked };
  throw new S3Error('InvalidRequest', {
    message: `Checksum Type mismatch occurred, expected checksum Type: ${algorithm.toLowerCase()}, actual checksum Type: ${asked.algorithm.toLowerCase()}`,
  });
}

/**
 * The checksum of a part: of the algorithm that its upload was begun with, whether or not its sender
 * has computed one. Public source: Amazon S3 API reference, UploadPart. Pure.
 */
import type { ChecksumRequest } from '../content/checksums/checksum-request.js';
import { S3Error } from '../http/s3-error.js';
import type { Upload } from './upload.entity.js';

/**
 * @param asked of the request that sends the part
 * @throws S3Error InvalidRequest for another algorithm than that of the upload
 */
export function partChecksumOf(
  { checksumAlgorithm: algorithm }: Upload,
  asked: ChecksumRequest | undefined,
): ChecksumRequest | undefined {
  if (algorithm === null || asked?.algorithm === algorithm) return asked;
  if (!asked) return { algorithm };
  throw new S3Error('InvalidRequest', {
    message: `Checksum Type mismatch occurred, expected checksum Type: ${algorithm.toLowerCase()}, actual checksum Type: ${asked.algorithm.toLowerCase()}`,
  });
}

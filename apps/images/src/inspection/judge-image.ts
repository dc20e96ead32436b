/**
 * Whether data may become an image's, by what it is and what the image says it is. Public source:
 * Image service configuration, `require_image_format_match`, which always holds here.
 */
import { formatName, isCompression } from '@cumulet/storage/disk-formats/disk-format';
import type { ImageBytes } from '@cumulet/storage/disk-formats/image-bytes';
import { inspectImage, type ImageFacts } from '@cumulet/storage/disk-formats/inspect-image';

/** What an image says of its data. */
export interface DeclaredFormats {
  readonly diskFormat: string | null;
  readonly containerFormat: string | null;
}

export type Verdict =
  | {
      readonly isAccepted: true;
      /** Bytes of the disk that a guest sees; null if the data does not tell. */
      readonly virtualSize: number | null;
    }
  | { readonly isAccepted: false; readonly reason: string };

/** An image of which all bytes have passed. */
export interface PassedImage extends ImageBytes {
  readonly size: number;
}

/**
 * Only data without a container is judged. Data in one (`ova`, `docker`, …) is stored as it is, and
 * the size of its disk is unknown.
 */
export function isJudged({ containerFormat }: DeclaredFormats): boolean {
  return containerFormat === 'bare';
}

/** Never throws, whatever the bytes are. */
export function judgeImage(declared: DeclaredFormats, image: PassedImage): Verdict {
  if (!isJudged(declared)) return { isAccepted: true, virtualSize: null };
  const diskFormat = declared.diskFormat ?? 'not set';
  const facts = inspectImage(image);
  if (!isMeant(diskFormat, facts)) {
    const found = image.size === 0 ? 'empty' : formatName(facts.format);
    return refused(`The data is ${found}, but disk_format is ${diskFormat}.`);
  }
  const [worst] = facts.faults;
  if (worst !== undefined) return refused(`The image ${worst}.`);
  const isOpaque = facts.format !== diskFormat && facts.format !== 'parallels';
  const virtualSize = isOpaque ? image.size : facts.virtualSize;
  return { isAccepted: true, virtualSize: virtualSize ?? null };
}

/** Whether a `disk_format` can stand for such data. */
function isMeant(diskFormat: string, facts: ImageFacts): boolean {
  const { format } = facts;
  switch (diskFormat) {
    case 'raw':
    case 'ami':
      return isRawDisk(facts);
    case 'aki':
    case 'ari':
      return format === 'raw' || isCompression(format);
    case 'ploop':
      // Data of ploop's kind `raw` has nothing to recognise it by.
      return format === 'parallels' || format === 'raw';
    default:
      return format === diskFormat;
  }
}

/**
 * A raw disk can be encrypted as a whole; no other format name exists for that. A disc image that
 * also boots from a USB stick is a disk with partitions.
 */
function isRawDisk({ format, partitions }: ImageFacts): boolean {
  return format === 'raw' || format === 'luks' || (format === 'iso' && partitions !== undefined);
}

function refused(reason: string): Verdict {
  return { isAccepted: false, reason };
}

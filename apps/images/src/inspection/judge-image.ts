/**
 * Compares data with the declared formats. Public source: Image service configuration,
 * `require_image_format_match`, which is always on here.
 */
import { formatName, isCompression } from '@cumulet/storage/disk-formats/disk-format';
import type { ImageBytes } from '@cumulet/storage/disk-formats/image-bytes';
import { inspectImage, type ImageFacts } from '@cumulet/storage/disk-formats/inspect-image';

export interface DeclaredFormats {
  readonly diskFormat: string | null;
  readonly containerFormat: string | null;
}

export type Verdict =
  | {
      readonly isAccepted: true;
      /** Bytes of the disk that a guest sees; null if unknown. */
      readonly virtualSize: number | null;
    }
  | { readonly isAccepted: false; readonly reason: string };

export interface PassedImage extends ImageBytes {
  readonly size: number;
}

/**
 * Data in a container (`ova`, `docker`, …) is stored unexamined, and its virtual size is unknown.
 */
export function isJudged({ containerFormat }: DeclaredFormats): boolean {
  return containerFormat === 'bare';
}

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
      // ploop's `raw` variant has no signature.
      return format === 'parallels' || format === 'raw';
    default:
      return format === diskFormat;
  }
}

/**
 * `raw` covers fully encrypted disks, which have no format name of their own, and hybrid ISOs with
 * a partition table.
 */
function isRawDisk({ format, partitions }: ImageFacts): boolean {
  return format === 'raw' || format === 'luks' || (format === 'iso' && partitions !== undefined);
}

function refused(reason: string): Verdict {
  return { isAccepted: false, reason };
}

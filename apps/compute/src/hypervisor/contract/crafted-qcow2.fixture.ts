/** Headers of qcow2 files, as an attacker would write them by hand ("The qcow2 image format"). */
export interface CraftedQcow2 {
  readonly version?: number;
  readonly virtualSizeBytes?: bigint;
  readonly backingFile?: string;
  readonly encrypted?: boolean;
  readonly incompatibleFeatures?: bigint;
}

const HEADER_BYTES = 104;
const CLUSTER_BYTES = 64 * 1024;
const NAME_AT = 512n;

/** @returns the first cluster of such a file, which holds only a header */
export function craftQcow2(crafted: CraftedQcow2 = {}): Buffer {
  const head = Buffer.alloc(CLUSTER_BYTES);
  head.write('QFI\xfb', 'latin1');
  head.writeUInt32BE(crafted.version ?? 3, 4);
  if (crafted.backingFile !== undefined) {
    head.writeBigUInt64BE(NAME_AT, 8);
    head.writeUInt32BE(crafted.backingFile.length, 16);
    head.write(crafted.backingFile, Number(NAME_AT));
  }
  head.writeUInt32BE(16, 20);
  head.writeBigUInt64BE(crafted.virtualSizeBytes ?? 1024n ** 2n, 24);
  head.writeUInt32BE(crafted.encrypted === true ? 1 : 0, 32);
  head.writeBigUInt64BE(crafted.incompatibleFeatures ?? 0n, 72);
  head.writeUInt32BE(4, 96);
  head.writeUInt32BE(HEADER_BYTES, 100);
  return head;
}

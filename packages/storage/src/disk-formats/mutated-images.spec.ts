/** Whatever the bytes are, a judgement comes of them, and none are read that are not there. */
import { describe, expect, it } from '@jest/globals';
import { everyFormat } from '@cumulet/testing/disk-images/crafted-images';
import { mutations } from '@cumulet/testing/disk-images/mutations';
import { imageStart, IMAGE_HEAD_BYTES, wholeImage, type ImageBytes } from './image-bytes.js';
import { inspectImage } from './inspect-image.js';
import { nextSpan } from './vhdx.js';

const ROUNDS = 400;

/** Refuses to be asked for what no image can have. */
function strict(image: ImageBytes): ImageBytes {
  return {
    ...image,
    at(offset, length) {
      if (!Number.isInteger(offset) || !Number.isInteger(length) || length < 0) {
        throw new Error(`asked for ${length} bytes at ${offset}`);
      }
      return image.at(offset, length);
    },
  };
}

function expectJudged(image: ImageBytes): void {
  const { virtualSize, faults } = inspectImage(strict(image));
  if (virtualSize !== undefined && !(Number.isSafeInteger(virtualSize) && virtualSize >= 0)) {
    throw new Error(`a disk of ${virtualSize} bytes`);
  }
  if (faults.some((fault) => !/^[\x20-\x7e…]{5,300}$/.test(fault))) {
    throw new Error(`a fault that cannot be shown: ${faults.join()}`);
  }
  nextSpan(strict(image));
}

describe('mutated images', () => {
  it.each(everyFormat().map((image, index): [number, Buffer] => [index, image]))(
    'are inspected without an error: mutations of image %s',
    (index, image) => {
      for (const mutated of mutations(image, { seed: index, rounds: ROUNDS })) {
        expect(() => expectJudged(wholeImage(mutated))).not.toThrow();
        expect(() => expectJudged(imageStart(mutated.subarray(0, IMAGE_HEAD_BYTES)))).not.toThrow();
      }
    },
  );
});

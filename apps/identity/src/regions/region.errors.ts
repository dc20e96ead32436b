import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

const LONGEST_ID = 255;

export class RegionNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find region: ${id}.`);
  }
}

export class DuplicateRegionError extends DomainError {
  constructor(id: string) {
    super('conflict', `A region with the id '${id}' exists already.`);
  }
}

export class RegionIdTooLongError extends InvalidInputError {
  constructor(length: number) {
    super(
      `Invalid input: a region's id has at most ${LONGEST_ID} characters; this one has ${length}.`,
    );
  }
}

/** It is a part of a path: a slash would end it, and clients leave out dots before they send one. */
export class RegionIdFormError extends InvalidInputError {
  constructor(id: string) {
    super(`Invalid input: a region's id must not hold a slash, nor be one dot or two: '${id}'.`);
  }
}

export class CircularRegionError extends InvalidInputError {
  constructor(id: string, parentId: string) {
    super(
      `Invalid input: region.parent_region_id '${parentId}' is the region '${id}' itself, or a region below it.`,
    );
  }
}

/** @throws RegionIdTooLongError, RegionIdFormError */
export function refuseRegionId(id: string): void {
  if (id.length > LONGEST_ID) throw new RegionIdTooLongError(id.length);
  if (/^\.{1,2}$|\//.test(id)) throw new RegionIdFormError(id);
}

/** @see RegionRepository.delete for what may use it */
export class RegionInUseError extends ForbiddenError {
  constructor(id: string, users: string) {
    super(`Cannot delete the region ${id}: it, or a region below it, has ${users}.`);
  }
}

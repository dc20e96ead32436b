import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export const LONGEST_ID = 255;

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

export class CircularRegionError extends InvalidInputError {
  constructor(id: string, parentId: string) {
    super(
      `Invalid input: region.parent_region_id '${parentId}' is the region '${id}' itself, or a region below it.`,
    );
  }
}

/** @see RegionRepository.delete for what may use it */
export class RegionInUseError extends ForbiddenError {
  constructor(id: string, users: string) {
    super(`Cannot delete the region ${id}: it, or a region below it, has ${users}.`);
  }
}

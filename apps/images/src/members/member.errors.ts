/** What can go wrong with the members of an image. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class MemberNotFoundError extends DomainError {
  constructor(memberId: string, imageId: string) {
    super('not-found', `Image ${imageId} has no member '${memberId}'.`);
  }
}

export class MemberExistsError extends DomainError {
  constructor(memberId: string, imageId: string) {
    super('conflict', `Image ${imageId} has the member '${memberId}' already.`);
  }
}

/** Only what is shared has members. */
export class ImageNotSharedError extends DomainError {
  constructor(imageId: string, visibility: string) {
    super('forbidden', `Only shared images have members; image ${imageId} is ${visibility}.`);
  }
}

export class TooManyMembersError extends DomainError {
  constructor(imageId: string, limit: number) {
    super('too-large', `Image ${imageId} is shared with ${limit} projects, which is the most.`);
  }
}

/** Whether a project takes an image is not for the image's owner to say. */
export class MemberStatusForbiddenError extends DomainError {
  constructor(memberId: string) {
    super('forbidden', `Only the project '${memberId}' itself may set its status.`);
  }
}

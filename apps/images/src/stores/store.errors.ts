/** What can go wrong with the stores that clients name. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class NoDataInStoreError extends DomainError {
  constructor(id: string, status: string) {
    super('conflict', `Image ${id} has no data to remove from a store: its status is '${status}'.`);
  }
}

export class OnlyStoreError extends DomainError {
  constructor(id: string, store: string) {
    super(
      'forbidden',
      `The store '${store}' is the only one with the data of image ${id}: delete the image instead.`,
    );
  }
}

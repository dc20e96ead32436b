import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { MAX_PAGE } from '../http/pages.js';
import type { ListFlavorsQuery } from './flavor.dto.js';
import { Flavor } from './flavor.entity.js';

export class FlavorNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Flavor ${id} could not be found.`);
  }
}

@Injectable()
export class FlavorsService extends Table<Flavor> {
  constructor() {
    super(Flavor, {
      missing: (key) => new FlavorNotFoundError(rowOf(key).id ?? ''),
      missingMarker: (key) =>
        new InvalidInputError(`Invalid input: marker '${rowOf(key).id}' is not a flavor.`),
    });
  }

  /** @throws InvalidInputError when the marker is not a flavor */
  page(ctx: RequestContext, query: ListFlavorsQuery): Promise<PageOfRows<Flavor>> {
    return this.list(ctx, { ...pageOfQuery(query, MAX_PAGE), scope: [equals('isPublic', true)] });
  }
}

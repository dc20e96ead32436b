import type { RequestContext } from '@cumulet/common/context/request-context';
import { catalogFor } from '../catalog/catalog.repository.js';
import type { TokenQuery } from './token.dto.js';
import { claimsOf, type Token } from './token.js';
import { tokenView, type TokenBody } from './token.view.js';

/** A token's answer, with the catalog that goes with it unless it is unscoped or none is wanted. */
export async function tokenBody(
  ctx: RequestContext,
  token: Token,
  { nocatalog }: Pick<TokenQuery, 'nocatalog'> = {},
): Promise<TokenBody> {
  const isWanted = nocatalog === undefined && token.scope.kind !== 'unscoped';
  return { token: tokenView(token, isWanted ? await catalogFor(ctx, claimsOf(token)) : undefined) };
}

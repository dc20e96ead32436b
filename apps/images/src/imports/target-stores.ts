/** Which stores an import is for. Pure. Public source: Image API reference, "Import an image". */
import type { ImportDto } from './import.dto.js';
import { StoresContradictoryError, StoreUnknownError } from './import.errors.js';

type Asked = Pick<ImportDto, 'stores' | 'all_stores'>;

/**
 * @param header what `X-Image-Meta-Store` names, the older way to ask
 * @param known the ids of the stores that there are, the default one first
 * @throws StoresContradictoryError or StoreUnknownError
 */
export function targetStores(
  { stores, all_stores: all = false }: Asked,
  header: string | undefined,
  known: readonly string[],
): readonly string[] {
  const named = stores ?? (header === undefined ? undefined : [header]);
  // Clients that know both ways send both, which say the same then.
  const isTwofold = header !== undefined && named?.some((store) => store !== header) === true;
  if (isTwofold || (all && named !== undefined)) throw new StoresContradictoryError();
  for (const store of named ?? []) if (!known.includes(store)) throw new StoreUnknownError(store);
  if (all) return known;
  return named === undefined || named.length === 0 ? known.slice(0, 1) : [...new Set(named)];
}

/** Links to the pages of a list. */

/** The address of the next page: the request's own, with the marker replaced. */
export function nextPageUrl(requestUrl: string, marker: string): string {
  const { path, params } = partsOf(requestUrl);
  params.set('marker', marker);
  return `${path}?${params.toString()}`;
}

/** The address of the first page: the request's own, without its marker. */
export function firstPageUrl(requestUrl: string): string {
  const { path, params } = partsOf(requestUrl);
  params.delete('marker');
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** A query may contain further question marks (in a regular expression). */
function partsOf(requestUrl: string): { path: string; params: URLSearchParams } {
  const at = requestUrl.indexOf('?');
  const path = at < 0 ? requestUrl : requestUrl.slice(0, at);
  return { path, params: new URLSearchParams(at < 0 ? '' : requestUrl.slice(at + 1)) };
}

/**
 * Errors as the platform's clients read them, by an outer key that is named after the status, and
 * beside that the list that Magnum's own clients read. Public source: API SIG, "Errors"; magnum,
 * `api/middleware/parsable_error.py`.
 */
import { outerKey, type ErrorEnvelope } from '@cumulet/common/http/error-envelope';
import { CLUSTERS_VERSIONS } from './microversions.js';

export const clustersEnvelope: ErrorEnvelope = ({ status, message, requestId }) => ({
  [outerKey(status)]: { code: status, message },
  errors: [
    {
      request_id: requestId,
      code: status >= 500 ? 'server' : 'client',
      status,
      // All that Magnum's client shows.
      title: message,
      detail: message,
      links: [],
      ...(status === NOT_ACCEPTABLE ? supported() : {}),
    },
  ],
});

/** Of a version alone, here: bodies are JSON whatever is asked for. */
const NOT_ACCEPTABLE = 406;

/** Which versions there are. Public source: magnum, `api/http_error.py`. */
function supported(): object {
  const { min, max } = CLUSTERS_VERSIONS;
  return {
    code: 'magnum.microversion-unsupported',
    min_version: min.toString(),
    max_version: max.toString(),
  };
}

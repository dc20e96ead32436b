/**
 * Errors in the platform's form, keyed by status, and in the list that Magnum's clients read.
 * Public source: API SIG, "Errors"; magnum, `api/middleware/parsable_error.py`.
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
      // Magnum's client shows only the title.
      title: message,
      detail: message,
      links: [],
      ...(status === NOT_ACCEPTABLE ? supported() : {}),
    },
  ],
});

/** Here, only microversions are refused with 406; bodies are always JSON. */
const NOT_ACCEPTABLE = 406;

/** Public source: magnum, `api/http_error.py`. */
function supported(): object {
  const { min, max } = CLUSTERS_VERSIONS;
  return {
    code: 'magnum.microversion-unsupported',
    min_version: min.toString(),
    max_version: max.toString(),
  };
}

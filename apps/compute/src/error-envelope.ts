import { outerKey, type ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** `{"itemNotFound": {"code": 404, "message": "…"}}` (API reference, "Platform JSON error format"). */
export const computeEnvelope: ErrorEnvelope = ({ status, message }) => ({
  [status === 500 ? 'computeFault' : outerKey(status)]: { code: status, message },
});

import { outerKey, type ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** The platform's error body; public source: Platform API reference, "Platform JSON error format". */
export const imagesErrorEnvelope: ErrorEnvelope = ({ status, message }) => ({
  [outerKey(status)]: { code: status, message },
});

import { UnavailableError } from '@cumulet/common/errors/domain-error';

/** This host cannot run OVN; the message says why. */
export class OvnHostError extends UnavailableError {}

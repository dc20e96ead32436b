/** This host cannot run OVN; the message says why. */
export class OvnHostError extends Error {
  override readonly name = 'OvnHostError';
}

/** The bucket of what is measured. */
export const BUCKET = 'bench';

import { imageStates } from '../images/image.states.js';

/** The task of an image's nudges, which any worker takes. */
export const IMAGE_TASK = imageStates.resource;

import { Image } from '../images/image.entity.js';
import { StoreClaim } from '../store/store-claim.entity.js';

export const imagesEntities = [Image, StoreClaim];

import { Image } from '../images/image.entity.js';
import { ImageMember } from '../members/member.entity.js';
import { StoreClaim } from '../store/store-claim.entity.js';
import { Task } from '../tasks/task.entity.js';

export const imagesEntities = [Image, ImageMember, Task, StoreClaim];

import { Image } from '../images/image.entity.js';
import { UsedImageId } from '../images/used-image-id.entity.js';
import { ImageMember } from '../members/member.entity.js';
import { metadefEntities } from '../metadefs/metadef.entities.js';
import { StoreClaim } from '../store/store-claim.entity.js';
import { Task } from '../tasks/task.entity.js';

export const imagesEntities = [
  Image,
  UsedImageId,
  ImageMember,
  Task,
  StoreClaim,
  ...metadefEntities,
];
